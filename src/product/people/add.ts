/** Adds a person by e-mail address, as a member of a workshop, a partner's developer or an operator. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { cleanEmail, isEmail } from '#base/values/email.ts';
import { newId } from '#base/values/id.ts';
import { nameFault } from '#base/values/name.ts';
import { normaliseString } from '#base/values/text.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { endPrinted } from './codes/store.ts';
import { endVouchedPin } from './desk/pin/set.ts';
import { insertAccountEmail } from './emails/store.ts';
import { endVouchedFactors } from './factors/remove.ts';
import { changeWithin, type MemberChanges } from './members/change.ts';
import { refuseMoreThanOwn, requireOwner, switchesFor } from './members/rules.ts';
import { lockOwners, putMember, standingOf } from './members/store.ts';
import type { Role, Switches } from './permissions.ts';
import { endVouched } from './sessions/store.ts';
import {
  findPerson,
  insertDeveloper,
  insertPerson,
  lockPersonByEmail,
  type Person,
  setOperator,
} from './store.ts';
import { ofPerson } from './trail.ts';

/** The place that the person is added to. The ids must exist. */
export type Place =
  | ({ readonly workshopId: string; readonly role: Role } & Partial<Switches>)
  | { readonly partnerId: string }
  | { readonly operator: true };

export interface AddedPerson {
  readonly email: string;
  /**
   * Required for an unknown person, and always from an owner, who could otherwise find out which addresses are known; for a known
   * person it changes nothing.
   */
  readonly name?: string | undefined;
  readonly place: Place;
}

export interface Added {
  readonly person: Person;
  readonly invitation: Invitation;
}

/** `queued`: an e-mail; `hadPlace`: they are told nothing; `dayLimit`: the place has sent a day's invitations. */
export type Invitation = 'queued' | 'hadPlace' | 'dayLimit';

const invitationsPerDay = { policy: 'invitations', quota: 20, windowSeconds: 86_400 };

/**
 * Adding a person again adds the membership, and changes its role. A new membership queues an invitation, at most 20 a day for one
 * workshop: beyond that an owner gets 429, while the operator adds without an e-mail. Nobody has by it what the owner who adds them
 * lacks. Throws InvalidInput for an invalid value,
 * Problem 403 for a person who is not an owner of the workshop.
 */
export async function addPerson(context: ChangeContext, actor: Actor, sent: AddedPerson): Promise<Added> {
  const email = cleanEmail(normaliseString(sent.email));
  const name = normaliseString(sent.name ?? '');
  const fault = name === '' ? unnamed(actor) : nameFault(name);
  const faults = [
    ...(isEmail(email) ? [] : [{ field: 'email', message: 'is not an e-mail address' }]),
    ...(fault === null ? [] : [{ field: 'name', message: fault }]),
  ];
  if (faults.length > 0) throw new InvalidInput(faults);
  return change(context, async ({ tx, now: at }) => {
    if ('workshopId' in sent.place) requireOwner(actor, await lockOwners(tx, sent.place.workshopId));
    const personId = await knownOrNew(tx, { id: newId(), email, name, at });
    const isNew = await give(tx, actor, personId, sent.place, at);
    const invitation = isNew ? await invite(tx, actor, email, sent.place) : 'hadPlace';
    if (isNew) {
      await recordEntry(tx, {
        ...ofPerson(personId, actor, 'added', at, 'workshopId' in sent.place ? sent.place.workshopId : null),
        partnerId: 'partnerId' in sent.place ? sent.place.partnerId : null,
        after: 'role' in sent.place ? { role: sent.place.role } : {},
      });
      // An owner may have printed a code for this person, or vouched for one of their sessions. The place at another workshop must
      // not be reachable with either, nor with what was set up in such a session.
      await endPrinted(tx, email);
      const vouching = 'workshopId' in sent.place ? sent.place.workshopId : null;
      // The PIN first: a session that it brings back meanwhile is then among those that end.
      await endVouchedPin(tx, actor, { personId, workshopId: vouching }, at);
      await endVouched(tx, personId, vouching);
      await endVouchedFactors(tx, actor, { personId, email }, vouching, at);
    }
    const person = await findPerson(tx, personId);
    if (person === null) throw new Error('the person is locked');
    return { person, invitation };
  });
}

/** Required from owners before any look-up, so that the refusal is the same for every address. */
const unnamed = ({ kind }: Actor): string | null => (kind === 'person' ? 'is needed' : null);

async function knownOrNew(
  tx: Queryable,
  person: { readonly id: string; readonly email: string; readonly name: string; readonly at: Date },
): Promise<string> {
  const known = await lockPersonByEmail(tx, person.email);
  if (known !== null) return known;
  if (person.name === '')
    throw new InvalidInput([{ field: 'name', message: 'is needed for somebody who is not known yet' }]);
  if (await insertPerson(tx, person)) return person.id;
  // A concurrent request has added the person.
  return (await lockPersonByEmail(tx, person.email)) ?? person.id;
}

/** Resolves to true when the place is new. */
async function give(tx: Queryable, actor: Actor, personId: string, place: Place, at: Date): Promise<boolean> {
  if ('partnerId' in place) return insertDeveloper(tx, { personId, partnerId: place.partnerId }, at);
  if ('operator' in place) return setOperator(tx, personId, true);
  const { workshopId, role, mayText, seesPhones } = place;
  const changes: MemberChanges = {
    role,
    ...(mayText !== undefined && { mayText }),
    ...(seesPhones !== undefined && { seesPhones }),
  };
  const changed = await changeWithin(tx, actor, { workshopId, personId }, changes, at);
  if (changed !== null) return false;
  const own = await standingOf(tx, actor, workshopId);
  const member = { ...switchesFor(own, role, null), ...changes, role };
  refuseMoreThanOwn(own, null, member);
  await putMember(tx, { workshopId, personId, ...member }, at);
  return true;
}

async function invite(tx: Queryable, actor: Actor, email: string, place: Place): Promise<Invitation> {
  const workshopId = 'workshopId' in place ? place.workshopId : null;
  const partnerId = 'partnerId' in place ? place.partnerId : null;
  try {
    await countAttempt(
      { db: tx },
      {
        limit: invitationsPerDay,
        refusal: 'A workshop invites at most 20 people a day',
        source: ['invitations', workshopId ?? partnerId ?? 'operators'],
      },
    );
  } catch (error) {
    if (actor.kind === 'person' || !(error instanceof Problem)) throw error;
    return 'dayLimit';
  }
  await insertAccountEmail(tx, {
    id: newId(),
    kind: 'invitation',
    email,
    codeId: null,
    workshopId,
    partnerId,
  });
  return 'queued';
}
