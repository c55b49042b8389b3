/** Ends quotes whose time is over, by the business clock (areas, section 6). */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { expireQuotes } from './change/store.ts';

const atOnce = 200;

/** Two processes may run it at once: each takes rows that the other does not hold. */
export async function sweepQuotes({ db, clock, nudgeRelay }: Context): Promise<void> {
  await inSteps(async (atMost) => {
    const ended = await expireQuotes(db, clock.now(), atMost);
    if (ended > 0) nudgeRelay();
    return ended;
  }, atOnce);
}
