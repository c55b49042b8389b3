/** Names customers' messages, to which SMPP gives no id. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '#clock.ts';

export interface Names {
  /** The same name again for what the carrier brings again; another one for the same words another time. */
  nameOf(words: string): string;
  /** It is recorded, and the carrier told so. */
  recorded(words: string): void;
  /** The connection is lost: what the carrier was told last it may not have heard. */
  lost(): void;
}

interface Named {
  readonly name: string;
  /** Null until it is recorded. */
  recordedAtMs: number | null;
  inDoubt: boolean;
}

/** What was answered this long before a connection was lost is brought again, for all we know. */
const doubtMs = 30_000;
const rememberedAtMost = 2_000;

/**
 * Of what this process has heard only: after a crash between record and answer, or over another process, the same message
 * comes twice, which is better than the second of two equal ones never.
 */
export function createNames(clock: Pick<Clock, 'machineNow'>): Names {
  const process = randomUUID();
  let count = 0;
  const known = new Map<string, Named>();

  return {
    nameOf(words) {
      const before = known.get(words);
      if (before !== undefined && (before.recordedAtMs === null || before.inDoubt)) {
        before.inDoubt = false;
        return before.name;
      }
      const name = `${process}-${++count}`;
      known.delete(words);
      known.set(words, { name, recordedAtMs: null, inDoubt: false });
      const [oldest] = known.keys();
      if (known.size > rememberedAtMost && oldest !== undefined) known.delete(oldest);
      return name;
    },
    recorded(words) {
      const named = known.get(words);
      if (named !== undefined) named.recordedAtMs = clock.machineNow().getTime();
    },
    lost() {
      const nowMs = clock.machineNow().getTime();
      for (const [words, named] of known) {
        if (named.recordedAtMs === null) continue;
        if (nowMs - named.recordedAtMs < doubtMs) named.inDoubt = true;
        else known.delete(words);
      }
    },
  };
}
