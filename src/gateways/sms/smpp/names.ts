/** Names customers' messages, to which SMPP gives no id. */
import { hash, randomUUID } from 'node:crypto';
import type { Clock } from '#clock.ts';

export interface Names {
  /** Names what was heard now: as before when the carrier was to bring these words again, else anew. */
  nameOf(words: string): Named;
  /** The connection is lost: what the carrier was told last it may not have heard. */
  lost(): void;
}

export interface Named {
  readonly name: string;
  /** It is recorded, and the carrier is told so. */
  recorded(): void;
  /** Nobody knows whether it is recorded; the carrier is told to bring it again. */
  failed(): void;
}

interface Answered {
  readonly key: string;
  readonly name: string;
  readonly atMs: number;
}

/** What was answered this long before a connection was lost is brought again, for all we know. */
const doubtMs = 30_000;
/** After this time the same words are another message, whatever happened before. */
const expectedMs = 3_600_000;
const rememberedAtMost = 2_000;

/**
 * Of what this process has heard only: after a crash between record and answer, or over another process, the same message
 * comes twice, which is better than the second of two equal ones never.
 */
export function createNames(clock: Pick<Clock, 'machineNow'>): Names {
  const process = randomUUID();
  let count = 0;
  let losses = 0;
  /** What the carrier may bring again: each once. */
  const expected: Answered[] = [];
  /** What it was told is recorded, and has heard so unless the connection is lost now. */
  const answered: Answered[] = [];

  const nowMs = () => clock.machineNow().getTime();
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
    nameOf(words) {
      // A message may be long, and many are remembered.
      const key = hash('sha256', words, 'base64');
      forget(expected, expectedMs);
      const at = expected.findIndex((one) => one.key === key);
      const [again] = at < 0 ? [] : expected.splice(at, 1);
      const name = again?.name ?? `${process}-${++count}`;
      const lossesBefore = losses;
      const failed = () => remember(expected, { key, name }, expectedMs);
      return {
        name,
        failed,
        recorded: () => (losses === lossesBefore ? remember(answered, { key, name }, doubtMs) : failed()),
      };
    },
    lost() {
      losses++;
      forget(answered, doubtMs);
      for (const one of answered.splice(0)) remember(expected, one, expectedMs);
    },
  };
}
