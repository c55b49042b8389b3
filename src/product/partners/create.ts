/** Creates a partner with its first app key. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { nameFault } from '#base/values/name.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { type HashCost, hashSecret, newAppKey, newSecret } from './secret.ts';
import { insertAppKey, insertPartner } from './store.ts';
import { ofPartner } from './trail.ts';

export interface Credentials {
  readonly partnerId: string;
  readonly appKey: string;
  /** Returned only here: only its hash is stored. */
  readonly secret: string;
}

/** Throws InvalidInput for a name that is empty or too long. Only tests lower the cost of the secret's hash. */
export async function createPartner(
  context: ChangeContext,
  sentName: string,
  actor: Actor,
  cost?: HashCost,
): Promise<Credentials> {
  const name = normaliseString(sentName);
  const fault = nameFault(name);
  if (fault) throw new InvalidInput([{ field: 'name', message: fault }]);
  const credentials = { partnerId: newId(), appKey: newAppKey(), secret: newSecret() };
  const secretHash = await hashSecret(credentials.secret, cost);
  await change(context, async ({ tx, now: at }) => {
    await insertPartner(tx, { id: credentials.partnerId, name, isDemo: false, at });
    await insertAppKey(tx, { id: credentials.appKey, partnerId: credentials.partnerId, secretHash, at });
    const { partnerId, appKey } = credentials;
    await recordEntry(tx, { ...ofPartner(actor, partnerId, 'created', at), after: { name, appKey } });
  });
  return credentials;
}
