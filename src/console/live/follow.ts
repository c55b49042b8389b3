/**
 * Sends hints about changes, from whichever process, to the streams of this process. One loop runs while there are streams, with
 * one statement a turn for all of them, so a quiet stream costs no statement.
 */
import type { Logger } from 'pino';
import { elapsedMs } from '#base/clock.ts';
import type { Queryable } from '#platform/db/database.ts';
import { startPauses } from '#platform/work/pauses.ts';
import { checkSessions, type SessionState } from '#product/people/sessions/state/store.ts';
import { hintsOfAll } from './kinds.ts';
import { createRecentlySent } from './recently-sent.ts';
import { changesAtMost, type FoundChange, joinSeconds, look } from './store.ts';
import { frames, type Stream } from './stream.ts';
import type { Streams } from './streams.ts';
import { createWindow } from './window.ts';

const lookEveryMs = 300;
/** A stream whose session was not checked for longer gets no hints. */
const checkEveryMs = 3_000;
const firstRetryMs = 1_000;
const retryAtMostMs = 5_000;

export interface Follower {
  /** Called when a stream opens: it may be the first one. */
  wake(): void;
  /** Ends the loop after the present statement. */
  stop(): Promise<void>;
}

/** Further sessions that are checked in the same statement as those of the streams. */
export interface Others {
  sessionStates(): readonly SessionState[];
  keepOnly(valid: ReadonlySet<SessionState>): void;
}

export function followChanges(
  { db, log }: { readonly db: Queryable; readonly log: Logger },
  streams: Pick<Streams, 'all'>,
  others: Others,
): Follower {
  const { pause, endAll } = startPauses();
  let loop: Promise<void> | null = null;
  let stopping = false;

  async function follow(): Promise<void> {
    const turn = createTurn(db, others);
    let failures = 0;
    for (let open = streams.all(); open.length > 0 && !stopping; open = streams.all()) {
      try {
        await turn(open);
        failures = 0;
        await pause(lookEveryMs);
      } catch (err) {
        if (failures === 0) log.warn({ err }, 'event streams do not hear of changes for now: trying again');
        await pause(Math.min(firstRetryMs * 2 ** failures++, retryAtMostMs));
      }
    }
    loop = null;
  }

  return {
    wake() {
      if (!stopping) loop ??= follow();
    },
    async stop() {
      stopping = true;
      endAll();
      await loop;
    },
  };
}

/** One turn for these streams; rejects when the database does not answer, and the next turn makes up for it. */
function createTurn(db: Queryable, others: Others): (open: readonly Stream[]) => Promise<void> {
  const window = createWindow(elapsedMs);
  const recent = createRecentlySent(elapsedMs);
  let checkedMs = Number.NEGATIVE_INFINITY;

  /** Ends streams whose session has ended, or whose person's role at the workshop has changed. */
  async function check(open: readonly Stream[]): Promise<readonly Stream[]> {
    const atMs = elapsedMs();
    if (atMs - checkedMs < checkEveryMs) return open;
    const valid = await checkSessions<SessionState>(db, [...open, ...others.sessionStates()]);
    checkedMs = atMs;
    others.keepOnly(valid);
    for (const stream of open) if (!valid.has(stream)) stream.end();
    return open.filter((stream) => valid.has(stream));
  }

  return async (open) => {
    const streams = await check(open);
    if (streams.length === 0) return;
    const joining = streams.filter(({ isReady }) => !isReady);
    const next = window.next();
    const seconds = joining.length > 0 ? Math.max(next.seconds, joinSeconds) : next.seconds;
    const found = await look(db, {
      ...{ snapshot: next.snapshot, seconds },
      workshopIds: workshopsOf(streams),
      joinedIds: workshopsOf(joining),
    });
    const isTooMuch = found.changes.length >= changesAtMost;
    const isAll = window.found(next, found.snapshot) || isTooMuch;
    const fresh = isTooMuch
      ? []
      : found.changes.filter((change) => change.isNew && recent.isFirst(change.key));
    recent.forget();
    const toReady = isAll ? () => everything : messagesOf(fresh);
    const toJoining = isTooMuch ? () => everything : messagesOf(found.changes);
    for (const stream of streams) {
      const message = (stream.isReady ? toReady : toJoining)(stream.workshopId);
      if (!stream.isReady) stream.send(ready);
      stream.isReady = true;
      if (message !== null) stream.send(message);
    }
  };
}

const workshopsOf = (streams: readonly Stream[]) => [...new Set(streams.map(({ workshopId }) => workshopId))];

const ready = Buffer.from(frames.ready);
const everything = Buffer.from(frames.changed([{ kind: 'all' }]));

/** The message for the streams of each workshop, rendered once; null where nothing changed. */
function messagesOf(changes: readonly FoundChange[]): (workshopId: string) => Buffer | null {
  const messages = new Map<string, Buffer>();
  for (const [workshopId, its] of Map.groupBy(changes, (change) => change.workshopId)) {
    const hints = hintsOfAll(its);
    if (hints.length > 0) messages.set(workshopId, Buffer.from(frames.changed(hints)));
  }
  return (workshopId) => messages.get(workshopId) ?? null;
}
