/** What an owner may change about a workshop's people, and what nobody may. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { type Role, roles, type Switches } from '../permissions.ts';

type Standing = Switches & { readonly role: Role };

/** Throws 403 for a person who is not among the workshop's owners. An actor who is not a person is the operator, who may. */
export function requireOwner(actor: Actor, owners: readonly string[]): void {
  if (actor.kind === 'person' && !owners.includes(actor.personId))
    throw new Problem('000003', { message: "Only an owner changes a workshop's people" });
}

/** Throws InvalidInput when the workshop would have no owner left. */
export function requireOwnerLeft(owners: readonly string[], without: string): void {
  if (owners.length === 1 && owners[0] === without)
    throw new InvalidInput([
      { field: 'role', message: 'a workshop keeps one owner: make somebody else one first' },
    ]);
}

const rank = (role: Role) => roles.length - roles.indexOf(role);

/** Throws InvalidInput when people raise their own rights. */
export function refuseOwnRise(actor: Actor, personId: string, from: Standing | null, to: Standing): void {
  if (actor.kind !== 'person' || actor.personId !== personId) return;
  const rises =
    from === null ||
    rank(to.role) > rank(from.role) ||
    (to.mayText && !from.mayText) ||
    (to.seesPhones && !from.seesPhones);
  if (rises)
    throw new InvalidInput([{ field: 'role', message: 'nobody raises their own: ask another owner' }]);
}
