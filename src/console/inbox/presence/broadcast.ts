/**
 * Sends heartbeats from process to process. They are sealed under the installation's key: logs of slow statements and the server's
 * files do not show who was where, and nobody else with a role in the database can make somebody seem present, also not by
 * repeating an old message.
 */
import { randomUUID } from 'node:crypto';
import type { Sealing } from '#base/sealing.ts';
import { within } from '#base/within.ts';
import type { Context } from '#platform/context.ts';
import { type Listening, listen } from '#platform/db/listen.ts';
import type { Beat } from './beat.ts';
import { notify } from './store.ts';

const channel = 'pitlane_presence';
/** The pause between two statements. */
const gapMs = 100;
/** A payload of NOTIFY has less than 8,000 bytes, and sealing makes four of three. */
const payloadAtMostBytes = 5_500;

/** A process that stops does not wait longer until the others know. */
const lastWithinMs = 2_000;

/** Older messages are ignored. The clocks of machines may differ by this much. */
const heardWithinMs = 60_000;

/** A heartbeat, and how long it is still valid, in ms. */
export interface Sent {
  readonly beat: Beat;
  readonly looking: number;
  readonly typing: number;
}

/**
 * `at`: when it was sent, by the machine's clock. `asks`: from a process that has begun to listen, and needs the people present.
 */
type Message = { readonly from: string; readonly at: number } & (
  | { readonly sent: readonly Sent[] }
  | { readonly asks: true; readonly sent?: undefined }
);

export interface PresenceBroadcast {
  /** Sends to the other processes soon, many in one statement; what cannot be sent is dropped, since pages repeat it. */
  send(sent: Sent): void;
  /** Listens to the other processes until it is stopped. */
  begin(): void;
  /** Sends what still waits, and listens no more. */
  end(): Promise<void>;
}

export interface Heard {
  hear(sent: Sent): void;
  /** Another process has just begun, and knows nobody yet. */
  asked(): void;
}

export function createPresenceBroadcast(
  { db, sealing, log, clock }: Pick<Context, 'db' | 'sealing' | 'log' | 'clock'>,
  { hear, asked }: Heard,
): PresenceBroadcast {
  const from = randomUUID();
  /** By page: its last beat. */
  let waiting = new Map<string, Sent>();
  let asks = false;
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | null = null;
  let listening: Listening | null = null;
  let ended = false;

  async function tell(): Promise<void> {
    timer = undefined;
    const at = clock.machineNow().getTime();
    const messages: Message[] = packed([...waiting.values()]).map((sent) => ({ from, at, sent }));
    if (asks) messages.unshift({ from, at, asks });
    waiting = new Map();
    asks = false;
    try {
      await notify(
        db,
        channel,
        messages.map((message) => seal(sealing, message)),
      );
    } catch (err) {
      log.debug({ err }, 'presence could not be told to other processes');
    }
    telling = null;
    if (waiting.size > 0 || asks) soon();
  }

  /** A page repeats that it is there, but not that it has gone. */
  async function tellRest(): Promise<void> {
    await telling;
    if (waiting.size > 0) await tell();
  }

  function soon(): void {
    if (ended || telling !== null) return;
    timer ??= setTimeout(() => {
      telling = tell();
    }, gapMs).unref();
  }

  function receive(payload: string): void {
    const message = open(sealing, payload);
    if (message === null || message.from === from) return;
    if (!(Math.abs(clock.machineNow().getTime() - message.at) <= heardWithinMs)) return;
    if (message.sent === undefined) asked();
    else for (const sent of message.sent) hear(sent);
  }

  return {
    send(sent) {
      waiting.set(`${sent.beat.sessionId} ${sent.beat.pageId}`, sent);
      soon();
    },
    begin() {
      if (ended) return;
      listening ??= listen(db, channel, receive, () => {
        asks = true;
        soon();
      });
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      const last = within(lastWithinMs, tellRest()).catch((err: unknown) =>
        log.debug({ err }, 'presence could not be told to other processes'),
      );
      await Promise.all([last, listening?.close()]);
    },
  };
}

const seal = (sealing: Sealing, message: Message) => sealing.seal('presence', JSON.stringify(message));

/** Null: it was not sealed under this installation's key. */
function open(sealing: Sealing, payload: string): Message | null {
  const text = sealing.open('presence', payload);
  return text === null ? null : (JSON.parse(text) as Message);
}

/** Packs heartbeats into as few messages as possible. */
function packed(all: readonly Sent[]): (readonly Sent[])[] {
  const messages: Sent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const sent of all) {
    const own = Buffer.byteLength(JSON.stringify(sent));
    if (bytes + own > payloadAtMostBytes) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(sent);
    bytes += own;
  }
  return messages;
}
