/** A change of how somebody signs in is in the trail, and mailed to them, in the commit of the change. */
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Queryable } from '#platform/db/database.ts';
import { insertAccountEmail, type SignInChange } from '../emails/store.ts';
import { ofPerson } from '../trail.ts';

export interface Noted {
  readonly actor: Actor;
  readonly personId: string;
  readonly email: string;
  readonly what: SignInChange;
  /** Of a passkey; what its person calls it is no matter of the trail, which outlives them. */
  readonly passkeyId?: string;
  readonly at: Date;
}

export async function noteChange(
  tx: Queryable,
  { actor, personId, email, what, passkeyId, at }: Noted,
): Promise<void> {
  await recordEntry(tx, {
    ...ofPerson(personId, actor, what, at),
    ...(passkeyId !== undefined && { after: { passkeyId } }),
  });
  await insertAccountEmail(tx, {
    ...{ id: newId(), kind: 'signInChange', email, what },
    ...{ codeId: null, workshopId: null, partnerId: null },
  });
}
