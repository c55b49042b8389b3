/** Secrets of webhooks under a former key. One that no known key opens: its endpoint's log says so, and a rotation replaces it. */
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

/** Those of one endpoint, where that has failed. */
export const resealAgain = (ctx: Context, webhookId: string): Promise<void> =>
  resealOf(ctx, secrets, webhookId);
