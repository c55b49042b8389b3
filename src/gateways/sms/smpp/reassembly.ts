/** Puts the parts of customers' long messages together, in memory. */
import type { Clock } from '#clock.ts';
import type { Place } from './parts.ts';

export interface Part {
  /** Sender and recipient. */
  readonly between: string;
  readonly place: Place;
  readonly text: string;
}

/** Records a message; null stands for a missing part. Rejects when it could not be recorded. */
export type RecordParts = (texts: readonly (string | null)[]) => Promise<void>;

export interface Reassembly {
  /**
   * Resolves when the part may be acknowledged: with the other parts once their message is recorded, if that is soon. Rejects
   * when the carrier should repeat the part.
   */
  take(part: Part, record: RecordParts): Promise<void>;
  /**
   * Records the parts at hand of each message that has an acknowledged part; the carrier repeats the others, and any later part.
   */
  close(): Promise<void>;
}

export interface ReassemblyLimits {
  /**
   * Some carriers send the next part only after the response to this one: after this wait it is acknowledged, recorded or not.
   */
  readonly acknowledgeAfterMs: number;
  /** After this wait the message is recorded with the parts at hand. */
  readonly waitMs: number;
  /** How many messages may wait for parts; for a further one the oldest is recorded as it is. */
  readonly atMost: number;
}

export const usualLimits: ReassemblyLimits = { acknowledgeAfterMs: 2_000, waitMs: 120_000, atMost: 200 };

/** After so many failed attempts to record a message, it is forgotten. */
const waitsAtMost = 10;
/** Within this time a part of a recorded message is a repeat, not the start of a new message. */
const repeatedWithinMs = 600_000;
const rememberedAtMost = 2_000;

interface Waiting {
  readonly key: string;
  readonly texts: (string | null)[];
  readonly record: RecordParts;
  /** The parts that are not acknowledged yet. */
  readonly settles: Set<(error?: Error) => void>;
  isAcknowledged: boolean;
  recording: Promise<void> | null;
  waits: number;
  timer?: NodeJS.Timeout;
}

export function createReassembly(clock: Pick<Clock, 'machineNow'>, limits = usualLimits): Reassembly {
  const { acknowledgeAfterMs, waitMs, atMost } = limits;
  const unfinished = new Set<Waiting>();
  /** The messages that take further parts. */
  const waiting = new Map<string, Waiting>();
  /** The parts of recorded messages, and when they were recorded. */
  const recorded = new Map<string, number>();
  let isClosing = false;

  const nowMs = () => clock.machineNow().getTime();
  const nameOf = (key: string, index: number, text: string) => `${key}\n${index}\n${text}`;

  function begin(key: string, total: number, record: RecordParts): Waiting {
    const texts = new Array<string | null>(total).fill(null);
    const begun: Waiting = {
      key,
      texts,
      record,
      settles: new Set(),
      isAcknowledged: false,
      recording: null,
      waits: 0,
    };
    unfinished.add(begun);
    waiting.set(key, begun);
    arm(begun);
    return begun;
  }
  function arm(message: Waiting): void {
    clearTimeout(message.timer);
    message.timer = setTimeout(() => {
      message.waits++;
      void finish(message);
    }, waitMs);
  }
  function forget(message: Waiting): void {
    clearTimeout(message.timer);
    unfinished.delete(message);
    if (waiting.get(message.key) === message) waiting.delete(message.key);
  }

  function remember({ key, texts }: Waiting): void {
    for (const [index, text] of texts.entries()) {
      if (text !== null) recorded.set(nameOf(key, index, text), nowMs());
    }
    for (const name of recorded.keys()) {
      if (recorded.size <= rememberedAtMost) break;
      recorded.delete(name);
    }
  }
  function isRecorded(name: string): boolean {
    const atMs = recorded.get(name);
    return atMs !== undefined && nowMs() - atMs < repeatedWithinMs;
  }

  /** Records the message, whole or not. Never rejects. */
  function finish(message: Waiting): Promise<void> {
    message.recording ??= (async () => {
      let failure: Error | undefined;
      try {
        await message.record(message.texts);
        remember(message);
        forget(message);
      } catch (error) {
        failure = error as Error;
        if (message.waits < waitsAtMost) arm(message);
        else forget(message);
      }
      message.recording = null;
      for (const settle of message.settles) settle(failure);
    })();
    return message.recording;
  }

  async function take(part: Part, record: RecordParts): Promise<void> {
    const { between, place, text } = part;
    const key = `${between}\n${place.series}\n${place.total}`;
    const index = place.number - 1;
    let message = waiting.get(key);
    // A message that is being recorded takes no more parts: a further one is a repeat, or a part that is still missing.
    if (message?.recording != null) {
      await message.recording;
      return take(part, record);
    }
    if (isRecorded(nameOf(key, index, text))) return;
    if (isClosing) throw new Error('closing');
    const before = message?.texts[index] ?? null;
    // The carrier's series numbers start over: this is the first part of a new message.
    if (message !== undefined && before !== null && before !== text) {
      waiting.delete(key);
      void finish(message);
      message = undefined;
    }
    if (message === undefined && unfinished.size >= atMost) {
      const [oldest] = unfinished;
      if (oldest !== undefined) await finish(oldest);
      if (oldest !== undefined && unfinished.has(oldest)) throw new Error('it can not be recorded');
      return take(part, record);
    }
    const of = message ?? begin(key, place.total, record);
    of.texts[index] = text;
    await new Promise<void>((resolve, reject) => {
      function settle(error?: Error): void {
        clearTimeout(soon);
        of.settles.delete(settle);
        if (error === undefined) resolve();
        else reject(error);
      }
      const soon = setTimeout(() => {
        of.isAcknowledged = true;
        settle();
      }, acknowledgeAfterMs);
      of.settles.add(settle);
      if (!of.texts.includes(null)) void finish(of);
    });
  }

  return {
    take,
    async close() {
      isClosing = true;
      await Promise.all(
        [...unfinished].map(async (message) => {
          if (message.isAcknowledged || message.recording !== null) await finish(message);
          forget(message);
          for (const settle of message.settles) settle(new Error('closing'));
        }),
      );
    },
  };
}
