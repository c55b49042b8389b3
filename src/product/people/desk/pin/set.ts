/** People set the PIN by which they switch at a shared desk, and take it away. */
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

/** One's own, in the place of the one before. Throws InvalidInput for one that is not taken. */
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

/** One's own. Sessions that it alone could bring back end. */
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

/** With a place elsewhere, a PIN that the owner of one workshop may know goes. The person is locked. */
export async function endVouchedPin(
  tx: Queryable,
  actor: Actor,
  { personId, workshopId }: { readonly personId: string; readonly workshopId: string | null },
  at: Date,
): Promise<void> {
  if (await deleteVouchedPin(tx, personId, workshopId))
    await recordEntry(tx, ofPerson(personId, actor, 'pinRemoved', at));
}
