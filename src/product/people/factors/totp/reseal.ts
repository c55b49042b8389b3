/**
 * Seals seeds of authenticator apps again that are sealed with a former key. A person whose seed no known key opens needs a
 * recovery code, or a reset.
 */
import type { Context } from '#platform/context.ts';
import type { Job } from '#platform/work/failed/alone.ts';
import { type Resealing, resealAll, resealOf } from '#platform/work/reseal.ts';
import { listSeeds, replaceSeed, type SealedSeed } from './store.ts';

export const resealSeedsJob: Job = { job: 'resealSeeds', subject: 'personId' };

const seeds: Resealing<SealedSeed> = {
  ...resealSeedsJob,
  purpose: 'totpSeed',
  list: (db, which) => listSeeds(db, 'of' in which ? { personId: which.of } : which),
  ownerOf: ({ personId }) => personId,
  replace: (db, { personId, sealed }, to) => replaceSeed(db, { personId, from: sealed, to }),
};

/** Runs every ten minutes; returns how many it sealed again. */
export const resealSeeds = (ctx: Context): Promise<number> => resealAll(ctx, seeds);

/** Retries the seed of one person. */
export const resealSeedAgain = (ctx: Context, personId: string): Promise<void> =>
  resealOf(ctx, seeds, personId);
