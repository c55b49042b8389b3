/** The rules of changes of a workshop's people: those of owners, and those that bind everybody. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { may, type Role, roles, type Switches, usualSwitches } from '../permissions.ts';

export type Standing = Switches & { readonly role: Role };

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

/** The switches that `to` has and `from` had not; "may text" counts from when a role makes use of it. */
function given(from: Standing | null, to: Standing): (keyof Switches)[] {
  const writes = (who: Standing | null) => who !== null && may(who, 'wordTexts');
  return [
    ...((to.mayText && !from?.mayText) || (writes(to) && !writes(from)) ? (['mayText'] as const) : []),
    ...(to.seesPhones && !from?.seesPhones ? (['seesPhones'] as const) : []),
  ];
}

const lacks: Readonly<Record<keyof Switches, string>> = {
  mayText:
    'may not be given by who may not text customers: ask another owner, or whoever runs this installation',
  seesPhones:
    'may not be given by who does not see them: ask another owner, or whoever runs this installation',
};

/**
 * `own`: the standing of the owner who makes the change; null: the operator, who may give everything. Throws InvalidInput, which
 * names each switch that the owner would give and lacks (specification: People and their sign-in 20).
 */
export function refuseMoreThanOwn(own: Standing | null, from: Standing | null, to: Standing): void {
  const over = own === null ? [] : given(from, to).filter((name) => !own[name]);
  if (over.length > 0) throw new InvalidInput(over.map((field) => ({ field, message: lacks[field] })));
}

/** Whether an owner may do what signs them in as a member: not as one who may do more than they. */
export const hasMoreThan = (own: Standing | null, member: Standing): boolean =>
  own !== null && given(own, member).length > 0;

/** The switches that a role begins with, as far as who gives it has them, or the member had them before. */
export function switchesFor(own: Standing | null, role: Role, before: Standing | null): Switches {
  const usual = usualSwitches(role);
  const within = (name: keyof Switches) =>
    usual[name] && (own === null || own[name] || (before?.[name] ?? false));
  return { mayText: within('mayText'), seesPhones: within('seesPhones') };
}
