/** Removes second factors: one by its person, all of them by the operator, and those that an owner may have created. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { endAllSessions } from '../sessions/store.ts';
import { lockPerson } from '../store.ts';
import type { Holder } from './added.ts';
import { noteChange } from './note.ts';
import { deletePasskey } from './passkeys/store.ts';
import { deleteCodes } from './recovery-codes/store.ts';
import { deleteFactors, deleteVouchedFactors, hasFactor, requiringWorkshops } from './store.ts';
import { deleteTotp } from './totp/store.ts';

/** The authenticator app, or a passkey by id. */
export type WhichFactor = 'totp' | { readonly passkeyId: string };

/** Idempotent. Throws OperatorError for the last factor when a workshop requires one. */
export function removeFactor(
  context: ChangeContext,
  actor: Actor,
  { personId, email }: Pick<Holder, 'personId' | 'email'>,
  which: WhichFactor,
): Promise<void> {
  return change(context, async ({ tx, now }) => {
    await lockPerson(tx, personId);
    const noted = { actor, personId, email, at: now };
    if (which === 'totp') {
      if (await deleteTotp(tx, personId)) await noteChange(tx, { ...noted, what: 'totpRemoved' });
    } else {
      const { passkeyId } = which;
      if (await deletePasskey(tx, personId, passkeyId))
        await noteChange(tx, { ...noted, what: 'passkeyRemoved', passkeyId });
    }
    if (!(await hasFactor(tx, personId))) {
      const [workshop] = await requiringWorkshops(tx, personId);
      if (workshop !== undefined)
        throw new OperatorError(`${workshop} requires a second factor: set up another one first`);
      await deleteCodes(tx, personId);
    }
  });
}

/**
 * The operator removes all factors of a person who has lost them, and all sessions end. Resolves to the number of passkeys and
 * apps.
 */
export function resetFactors(
  context: ChangeContext,
  actor: Actor,
  { personId, email }: Pick<Holder, 'personId' | 'email'>,
): Promise<number> {
  return change(context, async ({ tx, now }) => {
    await lockPerson(tx, personId);
    const removed = await deleteFactors(tx, personId);
    await endAllSessions(tx, personId);
    await noteChange(tx, { actor, personId, email, what: 'factorsReset', at: now });
    return removed;
  });
}

/**
 * A person who gets a place at another workshop loses the factors created in sessions for which an owner vouched. The person is
 * locked.
 */
export async function endVouchedFactors(
  tx: Queryable,
  actor: Actor,
  { personId, email }: Pick<Holder, 'personId' | 'email'>,
  workshopId: string | null,
  at: Date,
): Promise<void> {
  if ((await deleteVouchedFactors(tx, personId, workshopId)) === 0) return;
  // They were created with the first factor: the owner may know them, whatever factors exist now.
  await deleteCodes(tx, personId);
  await noteChange(tx, { actor, personId, email, what: 'factorsReset', at });
}
