/** Tells the runner, each time that it looks for a job, which ones must not come; and when to look. */
import { type EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { elapsedMs } from '#clock.ts';
import type { Admission, Fetch } from './admission.ts';

/** While no gateway takes anything, one looks so often: for what sends nothing. A look costs more, the more jobs wait. */
const lookAnywayMs = 250;

/**
 * What the runner asks for flags to be left out. Which of its workers asks is not said: it is the one that goes on to fetch.
 * `lookAgain` lets one that has found nothing look once more.
 */
export function followFetches(
  events: EventEmitter,
  admission: Admission,
  lookAgain: () => void,
): () => string[] | Promise<string[]> {
  const begun: Fetch[] = [];
  const underWay = new Map<unknown, Fetch>();
  let lookedMs = Number.NEGATIVE_INFINITY;
  let isEnding = false;
  const ending = once(events, 'pool:gracefulShutdown').then(() => {
    isEnding = true;
  });

  events.on('worker:getJob:start', ({ worker }: { worker: unknown }) => {
    const fetch = begun.shift();
    if (fetch !== undefined) underWay.set(worker, fetch);
  });
  const end = ({ worker }: { worker: unknown }) => {
    (underWay.get(worker) ?? begun.shift())?.end();
    underWay.delete(worker);
    // When the job that it brought has its place.
    setImmediate(() => {
      if (!isEnding && admission.isWorthALook()) lookAgain();
    });
  };
  for (const event of ['job:start', 'worker:getJob:empty', 'worker:getJob:error']) events.on(event, end);

  /** Null when it is not worth it now. */
  function begin(): string[] | null {
    const fetch = admission.fetch();
    if (fetch.isPointless && !isEnding) {
      if (elapsedMs() - lookedMs < lookAnywayMs) return null;
      lookedMs = elapsedMs();
    }
    begun.push(fetch);
    return fetch.forbidden;
  }

  async function beginLater(): Promise<string[]> {
    for (;;) {
      await Promise.race([admission.freed(), ending, pause(lookAnywayMs, undefined, { ref: false })]);
      const forbidden = begin();
      if (forbidden !== null) return forbidden;
    }
  }

  return () => begin() ?? beginLater();
}
