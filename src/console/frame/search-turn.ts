/** Searches of one session run two at a time, in the order in which they came; in each process (specification: Find). */
import { html } from '@remix-run/html-template';
import { type RateLimit, tooManyRequests } from '#platform/http/rate-limit.ts';
import type { Visit } from './visit.ts';

const atOnce = 2;
const waitingAtMost = 40;
const waitMs = 5_000;
const limit: RateLimit = { policy: 'console-searches', quota: atOnce, windowSeconds: 1 };

interface Turns {
  running: number;
  /** The first is next. */
  readonly waiting: Set<() => void>;
}

const bySession = new Map<string, Turns>();

/** Runs a search when it is its turn. Throws 429 when it has waited for 5 seconds, or 40 others wait already. */
export async function inSearchTurn<T>(
  { who: { sessionId }, request }: Pick<Visit, 'who' | 'request'>,
  search: () => Promise<T>,
): Promise<T> {
  const turns = bySession.get(sessionId) ?? { running: 0, waiting: new Set() };
  bySession.set(sessionId, turns);
  if (turns.running >= atOnce) await waitIn(turns);
  else turns.running++;
  try {
    // Whoever types on has ended the request meanwhile: nobody reads what it would find.
    if (request.raw.socket.destroyed) throw tooMany();
    return await search();
  } finally {
    const [next] = turns.waiting;
    if (next !== undefined) next();
    else if (--turns.running === 0) bySession.delete(sessionId);
  }
}

/** Resolves with the place of a search that has ended. */
function waitIn({ waiting }: Turns): Promise<void> {
  if (waiting.size >= waitingAtMost) return Promise.reject(tooMany());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(go);
      reject(tooMany());
    }, waitMs);
    function go(): void {
      waiting.delete(go);
      clearTimeout(timer);
      resolve();
    }
    waiting.add(go);
  });
}

/** A note of a search that did not read all that begins like that. */
export const moreLetters = html`<p class="notice" data-partial>Too much begins like that, so only a part was looked through: type more letters.</p>`;

const tooMany = () =>
  tooManyRequests(limit, 1_000, `${atOnce} of your searches are under way, and others wait`);
