/** A partner, its token, and its workshop: what a rehearsal is about. They are in its transaction alone. */
import { randomBytes } from 'node:crypto';
import { newId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import { newAppKey } from '#product/partners/secret.ts';
import { startSignIn } from '#product/partners/sessions/sign-in.ts';
import { insertAppKey, insertPartner } from '#product/partners/store.ts';
import { readSettings } from '#product/workshops/settings.ts';
import { insertWorkshop, upsertLink } from '#product/workshops/store.ts';

export interface World {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly token: string;
}

const settings = {
  name: 'Warm-up',
  country: 'AU',
  timezone: 'Australia/Melbourne',
  phone: '0355501234',
  email: 'desk@warm-up.example',
};

export async function makeWorld({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<World> {
  const at = clock.now();
  const [partnerId, workshopId, appKey] = [newId(), newId(), newAppKey()];
  await insertPartner(db, { id: partnerId, name: 'Warm-up', isDemo: false, at });
  // No secret has this hash.
  await insertAppKey(db, { id: appKey, partnerId, secretHash: '', at });
  // A name that no workshop has, also where several processes start at once.
  const slug = `warm-up-${randomBytes(12).toString('hex')}`;
  const isMade = await insertWorkshop(db, workshopId, readSettings({ ...settings, slug }, null), at);
  await upsertLink(db, { partnerId, workshopId, active: true }, at);
  const pair = await startSignIn(db, clock, { partnerId, appKey });
  if (!isMade || pair === null) throw new Error('the world of the warm-up could not be made');
  return { partnerId, workshopId, token: pair.token };
}
