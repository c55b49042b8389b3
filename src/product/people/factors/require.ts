/** A workshop requires a second factor of its people: a person without one can only open its set-up page. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { setRequirement } from '#product/workshops/second-factor/store.ts';
import { requireOwner } from '../members/rules.ts';
import { lockOwners } from '../members/store.ts';
import { hasFactor } from './store.ts';

/**
 * Throws Problem 403 for a person who is not an owner of the workshop, InvalidInput for an owner without a factor, who would be
 * locked out.
 */
export function requireSecondFactor(
  context: ChangeContext,
  actor: Actor,
  { workshopId, required }: { readonly workshopId: string; readonly required: boolean },
): Promise<void> {
  return change(context, async ({ tx, now }) => {
    requireOwner(actor, await lockOwners(tx, workshopId));
    if (required && actor.kind === 'person' && !(await hasFactor(tx, actor.personId)))
      throw new InvalidInput([
        { field: 'secondFactor', message: 'needs one of your own first: set it up in your settings' },
      ]);
    if (await setRequirement(tx, workshopId, required))
      await recordEntry(tx, {
        ...{ actor, workshopId, subject: { kind: 'workshop', id: workshopId }, action: 'workshop.changed' },
        before: { secondFactor: words(!required) },
        after: { secondFactor: words(required) },
        at: now,
      });
  });
}

const words = (required: boolean) => (required ? 'required' : 'optional');
