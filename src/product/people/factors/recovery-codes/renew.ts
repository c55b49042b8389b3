/** Replaces the recovery codes. */
import type { Clock } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { lockPerson } from '../../store.ts';
import type { Holder } from '../added.ts';
import { noteChange } from '../note.ts';
import { hasFactor } from '../store.ts';
import { makeRecoveryCodes } from './codes.ts';

/** Ten codes, returned only here. Throws OperatorError for a person without a second factor, for which they would have no use. */
export function renewRecoveryCodes(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: Actor,
  { personId, email }: Pick<Holder, 'personId' | 'email'>,
  alongside?: Alongside<string>,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    if (!(await hasFactor(tx, personId)))
      throw new OperatorError('recovery codes stand in for a second factor: set one up first');
    const codes = await makeRecoveryCodes(tx, personId);
    await noteChange(tx, { actor, personId, email, what: 'recoveryCodesMade', at: clock.now() });
    await alongside?.(tx, personId);
    return codes;
  });
}
