/**
 * Beats from process to process. They are sealed under the installation's key: neither a log of slow statements nor the server's own files
 * say who was where, and nobody else with a role in the database can make somebody seem present, by an old one either.
 */
import { randomUUID } from 'node:crypto';
import type { Sealing } from '#base/sealing.ts';
import type { Context } from '#platform/context.ts';
import { type Listening, listen } from '#platform/db/listen.ts';
import type { Beat } from './beat.ts';
import { notify } from './store.ts';

const channel = 'pitlane_presence';
/** From one statement to the next. */
const gapMs = 100;
/** A payload of NOTIFY has less than 8,000 bytes, and sealing makes four of three. */
const payloadAtMostBytes = 5_500;

/** An older message says nothing: the clocks of machines may be so far apart. */
const heardWithinMs = 60_000;

/** A beat and how long it still holds, in ms. */
export interface Sent {
  readonly beat: Beat;
  readonly looking: number;
  readonly typing: number;
}

/** `at`: when it was told, by the machine's clock. `asks`: a process that has begun to listen, and wants to hear of those who are there. */
type Message = { readonly from: string; readonly at: number } & (
  | { readonly sent: readonly Sent[] }
  | { readonly asks: true; readonly sent?: undefined }
);

export interface Spread {
  /** Tells the other processes soon, many in one statement; what can't be told is dropped: pages say it again. */
  send(sent: Sent): void;
  /** Hears from the others from now on, as long as it is not left alone. */
  begin(): void;
  end(): Promise<void>;
}

export interface Heard {
  hear(sent: Sent): void;
  /** Another process knows nobody yet. */
  asked(): void;
}

export function createSpread(
  { db, sealing, log, clock }: Pick<Context, 'db' | 'sealing' | 'log' | 'clock'>,
  { hear, asked }: Heard,
): Spread {
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
      await Promise.all([telling, listening?.close()]);
    },
  };
}

const seal = (sealing: Sealing, message: Message) => sealing.seal('presence', JSON.stringify(message));

/** Null: it was sealed by nobody of this installation. */
function open(sealing: Sealing, payload: string): Message | null {
  const text = sealing.open('presence', payload);
  return text === null ? null : (JSON.parse(text) as Message);
}

/** As few messages as they fit in. */
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
