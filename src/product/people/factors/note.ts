/** Records a change of sign-in in the trail and queues an e-mail to the person, in the commit of the change. */
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
  /** For a passkey. Its name is not recorded, because the trail outlives the person. */
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
