/** Expires quotes that are no longer valid, by the business clock. */
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { expireQuotes, findExpired } from './change/store.ts';

/** Two processes may run it at once: each skips rows that the other has locked. */
export const expiredQuotes: Pieces = {
  job: 'expireQuote',
  subject: 'quoteId',
  atOnce: 200,
  find: (db, now, atMost) => findExpired(db, expiredQuotes.job, now, atMost),
  async run(context, ids) {
    const { db, clock } = context;
    const ended = await changeAtOnce(context, async () => (await expireQuotes(db, clock.now(), ids)) || null);
    return ended ?? 0;
  },
};

export const sweepQuotes = (ctx: Context): Promise<number> => workOff(ctx, expiredQuotes);
