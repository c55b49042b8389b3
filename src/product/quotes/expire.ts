/** Ends quotes whose time is over, by the business clock. */
import type { Context } from '#platform/context.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { expireQuotes, findExpired } from './change/store.ts';

/** Two processes may run it at once: each takes rows that the other does not hold. */
export const expiredQuotes: Pieces = {
  job: 'expireQuote',
  subject: 'quoteId',
  atOnce: 200,
  find: (db, now, atMost) => findExpired(db, expiredQuotes.job, now, atMost),
  async run({ db, clock, nudgeRelay }, ids) {
    const ended = await expireQuotes(db, clock.now(), ids);
    if (ended > 0) nudgeRelay();
    return ended;
  },
};

export const sweepQuotes = (ctx: Context): Promise<number> => workOff(ctx, expiredQuotes);
