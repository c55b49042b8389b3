/**
 * Presence: who has which conversation open. The process's own pages report it by heartbeats, other processes pass theirs on, and
 * the event streams of the people there show it. It is never stored: not in a table, a log or the trail.
 */
import { elapsedMs } from '#base/clock.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { checkSessions, type SessionState } from '#product/people/sessions/state/store.ts';
import { frames } from '../../live/stream.ts';
import type { Streams } from '../../live/streams.ts';
import { type Beat, lookingMs, type Present, typingMs } from './beat.ts';
import { createPresenceBroadcast } from './broadcast.ts';
import { createPresenceByConversation, sessionStateKey, sessionStatesOf } from './by-conversation.ts';
import { findWorkshopOf } from './store.ts';

const sweepEveryMs = 1_000;
/** Sessions are checked as often as those of streams; people whose session was not checked for longer are not shown. */
const checkEveryMs = 3_000;
/** The limit of a session at one process. Heartbeats are not forms, so no other limit counts them. */
export const beatsPerMinute = 120;
/** The workshop of a conversation never changes. */
const knownAtMost = 10_000;

export interface Presence {
  /**
   * Records a heartbeat and returns the other people present. Throws 404 for a conversation of another workshop, and 429 above
   * `beatsPerMinute`.
   */
  beat(beat: Beat): Promise<readonly Present[]>;
  /** The first stream may have opened: its person may have a conversation open through another process. */
  wake(): void;
  /** The people whose sessions are to be checked, each once. */
  sessionStates(): readonly SessionState[];
  /** Takes the result of the check: forgets people whose session has ended or changed. */
  keepOnly(valid: ReadonlySet<SessionState>): void;
  stop(): Promise<void>;
}

export function createPresence(
  context: Pick<Context, 'db' | 'sealing' | 'log' | 'clock'>,
  streams: Pick<Streams, 'all'>,
): Presence {
  const { db } = context;
  const present = createPresenceByConversation(elapsedMs);
  const workshops = new Map<string, string>();
  let counted = new Map<string, number>();
  let countedSinceMs = elapsedMs();
  let checkedMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const broadcast = createPresenceBroadcast(context, {
    hear({ beat, looking, typing }) {
      changing(beat, () => present.take(beat, { looking, typing }));
      wake();
    },
    asked() {
      const atMs = elapsedMs();
      for (const { untilMs, typingUntilMs, ...beat } of present.pages())
        if (untilMs > atMs)
          broadcast.send({ beat, looking: untilMs - atMs, typing: Math.max(0, typingUntilMs - atMs) });
    },
  });

  /** The other people at the conversation. */
  const others = ({ workshopId, personId }: Pick<Beat, 'workshopId' | 'personId'>, conversationId: string) =>
    present.at(workshopId, conversationId).filter((present) => present.personId !== personId);

  function changing<T>({ workshopId, conversationId }: Beat, work: () => T): T {
    const inWords = () => JSON.stringify(present.at(workshopId, conversationId));
    const before = inWords();
    const result = work();
    if (inWords() !== before) tell([conversationId]);
    return result;
  }

  /** Sends who is present to the streams of the people at the conversation. */
  function tell(conversationIds: readonly string[]): void {
    for (const conversationId of conversationIds)
      for (const stream of streams.all()) {
        const own = present.pageOf(stream, conversationId);
        if (own !== null) stream.send(frames.present(conversationId, shown(others(own, conversationId))));
      }
  }

  function wake(): void {
    broadcast.begin();
    timer ??= setInterval(sweep, sweepEveryMs).unref();
  }

  function sweep(): void {
    tell(present.sweep());
    if (present.size() > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  function count(sessionId: string): void {
    const atMs = elapsedMs();
    if (atMs - countedSinceMs > 60_000) {
      counted = new Map();
      countedSinceMs = atMs;
    }
    const times = (counted.get(sessionId) ?? 0) + 1;
    counted.set(sessionId, times);
    if (times > beatsPerMinute)
      throw new Problem(null, {
        message: 'That was too much at once',
        headers: { 'retry-after': String(Math.ceil(60 - (atMs - countedSinceMs) / 1_000)) },
      });
  }

  async function requireOf(workshopId: string, conversationId: string): Promise<void> {
    let known = workshops.get(conversationId);
    if (known === undefined) {
      const found = isId(conversationId) ? await findWorkshopOf(db, conversationId) : null;
      if (found === null) throw new Problem('000002');
      if (workshops.size >= knownAtMost) workshops.clear();
      workshops.set(conversationId, found);
      known = found;
    }
    if (known !== workshopId) throw new Problem('000002');
  }

  /** Where the process has streams, their follower checks the sessions. */
  async function check(): Promise<void> {
    if (elapsedMs() - checkedMs < checkEveryMs) return;
    checking ??= checkSessions(db, presence.sessionStates())
      .then((valid) => presence.keepOnly(valid))
      .finally(() => {
        checking = null;
      });
    await checking;
  }

  const presence: Presence = {
    async beat(beat) {
      count(beat.sessionId);
      await requireOf(beat.workshopId, beat.conversationId);
      wake();
      if (changing(beat, () => present.take(beat)))
        broadcast.send({ beat, looking: lookingMs, typing: beat.doing === 'typing' ? typingMs : 0 });
      await check();
      return others(beat, beat.conversationId);
    },
    wake,
    sessionStates: () => [...sessionStatesOf(present.pages()).values()],
    keepOnly(valid) {
      checkedMs = elapsedMs();
      const keys = new Set([...valid].map(sessionStateKey));
      tell(present.keepOnly((page) => keys.has(sessionStateKey(page))));
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await broadcast.end();
    },
  };
  return presence;
}

/** As pages read it. */
export const shown = (people: readonly Present[]) =>
  people.map(({ name, isTyping }) => ({ name, isTyping })).slice(0, 10);
