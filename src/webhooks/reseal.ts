/** Seals again, under the present key of the installation, the secrets that a former one sealed, so that it can be dropped. */
import type { Context } from '#context.ts';
import { listSecrets, replaceSealed } from './store.ts';

const atOnce = 500;

/** Runs every ten minutes; two processes may run it at once. Returns how many it sealed again. */
export async function resealSecrets({ db, sealing }: Pick<Context, 'db' | 'sealing'>): Promise<number> {
  let done = 0;
  for (let after: string | null = null; ; ) {
    const secrets = await listSecrets(db, after, atOnce);
    for (const { id, webhookId, sealed } of secrets) {
      if (sealing.isCurrent(sealed)) continue;
      const secret = sealing.open('webhookSecret', sealed, webhookId);
      // One that no known key opens: its endpoint's log says so, and a rotation replaces it.
      if (secret === null) continue;
      const again = sealing.seal('webhookSecret', secret, webhookId);
      if (await replaceSealed(db, { id, webhookId, from: sealed, to: again })) done++;
    }
    const last = secrets.at(-1);
    if (last === undefined || secrets.length < atOnce) return done;
    after = last.webhookId;
  }
}
