/** Replaces the recovery codes. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { lockPerson } from '../../store.ts';
import type { Holder } from '../added.ts';
import { noteChange } from '../note.ts';
import { hasFactor } from '../store.ts';
import { makeRecoveryCodes } from './codes.ts';

/** Ten codes, returned only here. Throws OperatorError for a person without a second factor, for which they would have no use. */
export function renewRecoveryCodes(
  context: ChangeContext,
  actor: Actor,
  { personId, email }: Pick<Holder, 'personId' | 'email'>,
): Promise<string[]> {
  return change(context, async ({ tx, now }) => {
    await lockPerson(tx, personId);
    if (!(await hasFactor(tx, personId)))
      throw new OperatorError('recovery codes stand in for a second factor: set one up first');
    const codes = await makeRecoveryCodes(tx, personId);
    await noteChange(tx, { actor, personId, email, what: 'recoveryCodesMade', at: now });
    return codes;
  });
}
