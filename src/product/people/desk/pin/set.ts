/** People set and remove the PIN with which they switch at a shared desk. */
import type { Clock } from '#base/clock.ts';
import { InvalidInput } from '#base/operator-error.ts';
import type { Sealing } from '#base/sealing.ts';
import type { Actor, PersonActor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { ofPerson } from '../../trail.ts';
import { sealPin } from './hash.ts';
import { pinFault } from './rules.ts';
import { deletePin, deleteVouchedPin, putPin } from './store.ts';

interface Needed {
  readonly db: Database;
  readonly clock: Clock;
}

export interface SetPin {
  readonly pin: string;
  /** The workshop whose owner vouched for the session. */
  readonly vouchedBy: string | null;
}

/** Replaces the person's own PIN. Throws InvalidInput for a PIN that is not accepted. */
export async function setPin(
  { db, clock, sealing }: Needed & { readonly sealing: Sealing },
  actor: PersonActor,
  { pin, vouchedBy }: SetPin,
  alongside?: Alongside<string>,
): Promise<void> {
  const { personId } = actor;
  const fault = pinFault(pin);
  if (fault !== null) throw new InvalidInput([{ field: 'pin', message: fault }]);
  const sealed = await sealPin(sealing, personId, pin);
  await db.transaction(async (tx) => {
    await putPin(tx, { personId, sealed, vouchedBy });
    await recordEntry(tx, ofPerson(personId, actor, 'pinSet', clock.now()));
    await alongside?.(tx, personId);
  });
}

/** Removes the person's own PIN, and ends sessions that only the PIN could resume. */
export async function removePin(
  { db, clock }: Needed,
  actor: PersonActor,
  alongside?: Alongside<string>,
): Promise<void> {
  const { personId } = actor;
  await db.transaction(async (tx) => {
    if (await deletePin(tx, personId))
      await recordEntry(tx, ofPerson(personId, actor, 'pinRemoved', clock.now()));
    await alongside?.(tx, personId);
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
