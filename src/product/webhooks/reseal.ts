/**
 * Seals secrets again that are sealed with a former key. A secret that no known key opens is reported in its endpoint's log; a
 * rotation replaces it.
 */
import type { Context } from '#platform/context.ts';
import type { Job } from '#platform/work/failed/alone.ts';
import { type Resealing, resealAll, resealOf } from '#platform/work/reseal.ts';
import { listSecrets, replaceSealed, type SealedSecret } from './store.ts';

export const resealJob: Job = { job: 'resealSecrets', subject: 'webhookId' };

const secrets: Resealing<SealedSecret> = {
  ...resealJob,
  purpose: 'webhookSecret',
  list: (db, which) => listSecrets(db, 'of' in which ? { webhookId: which.of } : which),
  ownerOf: ({ webhookId }) => webhookId,
  replace: (db, { id, webhookId, sealed }, to) => replaceSealed(db, { id, webhookId, from: sealed, to }),
};

/** Runs every ten minutes; returns how many it sealed again. */
export const resealSecrets = (ctx: Context): Promise<number> => resealAll(ctx, secrets);

/** Retries the secrets of one endpoint. */
export const resealAgain = (ctx: Context, webhookId: string): Promise<void> =>
  resealOf(ctx, secrets, webhookId);
