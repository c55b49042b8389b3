/** Ids of customers' messages, to which SMPP gives none. */
import { hash, randomUUID } from 'node:crypto';
import type { Clock } from '#clock.ts';

export interface MessageIds {
  /** The id of what was received now: the earlier one when the carrier is expected to repeat this text, else a new one. */
  idOf(words: string): GivenId;
  /** The connection is lost: what the carrier was told last it may not have heard. */
  lost(): void;
}

export interface GivenId {
  readonly id: string;
  /** It is recorded, and the carrier is told so. */
  recorded(): void;
  /** Nobody knows whether it is recorded; the carrier is told to bring it again. */
  failed(): void;
}

interface Answered {
  readonly key: string;
  readonly id: string;
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
export function createMessageIds(clock: Pick<Clock, 'machineNow'>): MessageIds {
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
    idOf(words) {
      // A message may be long, and many are remembered.
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
        recorded: () => (losses === lossesBefore ? remember(answered, { key, id }, doubtMs) : failed()),
      };
    },
    lost() {
      losses++;
      forget(answered, doubtMs);
      for (const one of answered.splice(0)) remember(expected, one, expectedMs);
    },
  };
}
