/** Seals again, under the present key of the installation, the seeds that a former one sealed, so that it can be dropped. */
import type { Context } from '#platform/context.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { listSeeds, replaceSeed, type SealedSeed } from './store.ts';

const atOnce = 500;

export const resealSeedsJob: Job = { job: 'resealSeeds', subject: 'personId' };

/** Runs every ten minutes; two processes may run it at once. Returns how many it sealed again. */
export async function resealSeeds(ctx: Context): Promise<number> {
  let done = 0;
  for (let after: string | null = null; ; ) {
    const seeds = await listSeeds(ctx.db, { after, limit: atOnce, job: resealSeedsJob.job });
    for (const seed of seeds)
      await alone(ctx, resealSeedsJob, seed.personId, async () => {
        if (await reseal(ctx, seed)) done++;
      });
    const last = seeds.at(-1);
    if (last === undefined || seeds.length < atOnce) return done;
    after = last.personId;
  }
}

/** Somebody's, where that has failed. */
export async function resealSeedAgain(ctx: Context, personId: string): Promise<void> {
  for (const seed of await listSeeds(ctx.db, { personId })) await reseal(ctx, seed);
}

async function reseal({ db, sealing }: Context, { personId, sealed }: SealedSeed): Promise<boolean> {
  if (sealing.isCurrent(sealed)) return false;
  const seed = sealing.open('totpSeed', sealed, personId);
  // One that no known key opens: the doctor says so, and its person has recovery codes.
  if (seed === null) return false;
  return replaceSeed(db, { personId, from: sealed, to: sealing.seal('totpSeed', seed, personId) });
}
