/** Looks at the replica again and again, so that reads know how old it is. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from './replica.ts';

const lookEveryMs = 1_000;
/** The first look tells what the primary has, the next whether the replica has it. */
const firstPauseMs = 200;

/** Begins at once; the function that it returns ends it, after the look that is under way. */
export function followReplica(replica: Replica): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const following = (async () => {
    for (let looks = 1; !signal.aborted; looks++) {
      await replica.look();
      const ms = looks === 1 ? firstPauseMs : lookEveryMs;
      await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await following;
  };
}

const looksAtMost = 10;

/** For a command: looks until it knows, for about two seconds. */
export async function lookUntilKnown(replica: Replica): Promise<void> {
  for (let looks = 1; looks <= looksAtMost; looks++) {
    await replica.look();
    const { state } = replica.seen();
    if (state !== 'unseen' && state !== 'lagging') return;
    await pause(firstPauseMs);
  }
}
