/** Creates and deletes further app keys of a partner. */
import type { Clock } from '#base/clock.ts';
import { notOf } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Credentials } from './create.ts';
import { hashSecret, newAppKey, newSecret } from './secret.ts';
import { deleteAppKey, insertAppKey, requirePartner } from './store.ts';

/** Throws OperatorError when there is no such partner. */
export async function createKey(db: Queryable, clock: Clock, partnerId: string): Promise<Credentials> {
  const partner = await requirePartner(db, partnerId);
  const credentials = { partnerId: partner.partnerId, appKey: newAppKey(), secret: newSecret() };
  const secretHash = await hashSecret(credentials.secret);
  await insertAppKey(db, {
    id: credentials.appKey,
    partnerId: partner.partnerId,
    secretHash,
    at: clock.now(),
  });
  return credentials;
}

/** Deletes the key's sign-ins and tokens too. Throws OperatorError when there is no such partner or key. */
export async function deleteKey(db: Queryable, partnerId: string, appKey: string): Promise<void> {
  await requirePartner(db, partnerId);
  if (!(await deleteAppKey(db, partnerId, appKey))) {
    throw notOf({ what: 'partner', id: partnerId }, 'app key', appKey);
  }
}
