/** Creates and deletes further app keys of a partner. */

import type { Clock } from '#base/clock.ts';
import { notOf } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import type { Credentials } from './create.ts';
import { hashSecret, newAppKey, newSecret } from './secret.ts';
import { deleteAppKey, insertAppKey, requirePartner } from './store.ts';
import { ofPartner } from './trail.ts';

/** Throws OperatorError when there is no such partner. */
export async function createKey(
  db: Database,
  clock: Clock,
  partnerId: string,
  actor: Actor,
): Promise<Credentials> {
  const partner = await requirePartner(db, partnerId);
  const credentials = { partnerId: partner.partnerId, appKey: newAppKey(), secret: newSecret() };
  const secretHash = await hashSecret(credentials.secret);
  const { appKey } = credentials;
  const at = clock.now();
  await db.transaction(async (tx) => {
    await insertAppKey(tx, { id: appKey, partnerId: partner.partnerId, secretHash, at });
    await recordEntry(tx, { ...ofPartner(actor, partner.partnerId, 'keyCreated', at), after: { appKey } });
  });
  return credentials;
}

/** Deletes the key's sign-ins and tokens too. Throws OperatorError when there is no such partner or key. */
export async function deleteKey(
  db: Database,
  clock: Clock,
  partnerId: string,
  appKey: string,
  actor: Actor,
): Promise<void> {
  await requirePartner(db, partnerId);
  await db.transaction(async (tx) => {
    if (!(await deleteAppKey(tx, partnerId, appKey))) {
      throw notOf({ what: 'partner', id: partnerId }, 'app key', appKey);
    }
    await recordEntry(tx, { ...ofPartner(actor, partnerId, 'keyDeleted', clock.now()), before: { appKey } });
  });
}
