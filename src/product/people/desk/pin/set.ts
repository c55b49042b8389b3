/** People set and remove the PIN with which they switch at a shared desk. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor, PersonActor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { ofPerson } from '../../trail.ts';
import { sealPin } from './hash.ts';
import { pinFault } from './rules.ts';
import { deletePin, deleteVouchedPin, putPin } from './store.ts';

export interface SetPin {
  readonly pin: string;
  /** The workshop whose owner vouched for the session. */
  readonly vouchedBy: string | null;
}

/** Replaces the person's own PIN. Throws InvalidInput for a PIN that is not accepted. */
export async function setPin(
  context: ChangeContext & Pick<Context, 'sealing'>,
  actor: PersonActor,
  { pin, vouchedBy }: SetPin,
): Promise<void> {
  const { sealing } = context;
  const { personId } = actor;
  const fault = pinFault(pin);
  if (fault !== null) throw new InvalidInput([{ field: 'pin', message: fault }]);
  const sealed = await sealPin(sealing, personId, pin);
  await change(context, async ({ tx, now }) => {
    await putPin(tx, { personId, sealed, vouchedBy });
    await recordEntry(tx, ofPerson(personId, actor, 'pinSet', now));
  });
}

/** Removes the person's own PIN, and ends sessions that only the PIN could resume. */
export async function removePin(context: ChangeContext, actor: PersonActor): Promise<void> {
  const { personId } = actor;
  await change(context, async ({ tx, now }) => {
    if (await deletePin(tx, personId)) await recordEntry(tx, ofPerson(personId, actor, 'pinRemoved', now));
  });
}

/** A person who gets a place at another workshop loses a PIN that an owner may know. The person is locked. */
export async function endVouchedPin(
  tx: Queryable,
  actor: Actor,
  { personId, workshopId }: { readonly personId: string; readonly workshopId: string | null },
  at: Date,
): Promise<void> {
  if (await deleteVouchedPin(tx, personId, workshopId))
    await recordEntry(tx, ofPerson(personId, actor, 'pinRemoved', at));
}
