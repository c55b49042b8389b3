/** Seals again, under the present key of the installation, the secrets that a former one sealed, so that it can be dropped. */
import type { Context } from '#platform/context.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { listSecrets, replaceSealed, type SealedSecret } from './store.ts';

const atOnce = 500;

export const resealJob: Job = { job: 'resealSecrets', subject: 'webhookId' };

/** Runs every ten minutes; two processes may run it at once. Returns how many it sealed again. */
export async function resealSecrets(ctx: Context): Promise<number> {
  let done = 0;
  for (let after: string | null = null; ; ) {
    const secrets = await listSecrets(ctx.db, { after, limit: atOnce, job: resealJob.job });
    for (const [webhookId, its] of Map.groupBy(secrets, (secret) => secret.webhookId)) {
      await alone(ctx, resealJob, webhookId, async () => {
        for (const secret of its) if (await reseal(ctx, secret)) done++;
      });
    }
    const last = secrets.at(-1);
    if (last === undefined || secrets.length < atOnce) return done;
    after = last.webhookId;
  }
}

/** Those of one endpoint, where that has failed. */
export async function resealAgain(ctx: Context, webhookId: string): Promise<void> {
  for (const secret of await listSecrets(ctx.db, { webhookId })) await reseal(ctx, secret);
}

async function reseal({ db, sealing }: Context, { id, webhookId, sealed }: SealedSecret): Promise<boolean> {
  if (sealing.isCurrent(sealed)) return false;
  const secret = sealing.open('webhookSecret', sealed, webhookId);
  // One that no known key opens: its endpoint's log says so, and a rotation replaces it.
  if (secret === null) return false;
  const again = sealing.seal('webhookSecret', secret, webhookId);
  return replaceSealed(db, { id, webhookId, from: sealed, to: again });
}
