/** What an owner may do with a workshop's people, and what nobody may. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { type Role, roles, type Switches } from '../permissions.ts';

type Standing = Switches & { readonly role: Role };

/** Throws 403 for a person who is none of the workshop's owners; everybody else who changes people is the operator. */
export function requireOwner(actor: Actor, owners: readonly string[]): void {
  if (actor.kind === 'person' && !owners.includes(actor.personId))
    throw new Problem('000003', { message: "Only an owner changes a workshop's people" });
}

/** Throws InvalidInput where the workshop would be left without an owner. */
export function requireOwnerLeft(owners: readonly string[], without: string): void {
  if (owners.length === 1 && owners[0] === without)
    throw new InvalidInput([
      { field: 'role', message: 'a workshop keeps one owner: make somebody else one first' },
    ]);
}

const rank = (role: Role) => roles.length - roles.indexOf(role);

/** Throws InvalidInput where people raise themselves. */
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
