/** Makes ids for customers' messages, since SMPP gives them none. */
import { hash, randomUUID } from 'node:crypto';
import type { Host } from './host.ts';

export interface MessageIds {
  /** The id of a received message: the earlier id when the carrier is expected to repeat this text, else a new one. */
  idOf(words: string): GivenId;
  /** The connection is lost: the last acknowledgements may not have reached the carrier. */
  lost(): void;
}

export interface GivenId {
  readonly id: string;
  /** The message is recorded, and acknowledged. */
  recorded(): void;
  /** The message may not have been recorded; the carrier is asked to repeat it. */
  failed(): void;
}

interface Answered {
  readonly key: string;
  readonly id: string;
  readonly atMs: number;
}

/** A message that was acknowledged this long before a connection was lost may be repeated. */
const mayRepeatMs = 30_000;
/** After this time the same text is another message, whatever happened before. */
const expectedMs = 3_600_000;
const rememberedAtMost = 2_000;

/**
 * Knows only what this process has received. After a crash between recording and acknowledging, or through another process, a
 * message may be recorded twice, which is better than losing the second of two equal ones.
 */
export function createMessageIds(host: Pick<Host, 'machineNow'>): MessageIds {
  const process = randomUUID();
  let count = 0;
  let losses = 0;
  /** Messages that the carrier may repeat, each once. */
  const expected: Answered[] = [];
  /** Acknowledged messages: they are repeated only if the connection is lost soon. */
  const answered: Answered[] = [];

  const nowMs = () => host.machineNow().getTime();
  function remember(list: Answered[], which: Omit<Answered, 'atMs'>, forMs: number): void {
    list.push({ ...which, atMs: nowMs() });
    forget(list, forMs);
  }
  function forget(list: Answered[], afterMs: number): void {
    const sinceMs = nowMs() - afterMs;
    const kept = list.findIndex(({ atMs }) => atMs > sinceMs);
    list.splice(0, Math.max(kept < 0 ? list.length : kept, list.length - rememberedAtMost));
  }

  return {
    idOf(words) {
      // Stores a digest, since a message may be long and many are remembered.
      const key = hash('sha256', words, 'base64');
      forget(expected, expectedMs);
      const at = expected.findIndex((one) => one.key === key);
      const [again] = at < 0 ? [] : expected.splice(at, 1);
      const id = again?.id ?? `${process}-${++count}`;
      const lossesBefore = losses;
      const failed = () => remember(expected, { key, id }, expectedMs);
      return {
        id,
        failed,
        recorded: () => (losses === lossesBefore ? remember(answered, { key, id }, mayRepeatMs) : failed()),
      };
    },
    lost() {
      losses++;
      forget(answered, mayRepeatMs);
      for (const one of answered.splice(0)) remember(expected, one, expectedMs);
    },
  };
}
