/** Changes the e-mail address that a person signs in with: after both codes, or by the operator. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { cleanEmail, isEmail } from '#base/values/email.ts';
import { newId } from '#base/values/id.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { endCodes } from '../codes/store.ts';
import { insertAccountEmail, moveInvitations } from '../emails/store.ts';
import { endOtherSessions } from '../sessions/store.ts';
import { findPerson, lockPerson, requirePerson } from '../store.ts';
import { ofPerson } from '../trail.ts';
import { deleteEmailChange, updateEmail } from './store.ts';

/** Another person has the address. */
export class EmailTaken extends OperatorError {
  constructor() {
    super('another person signs in with this e-mail address already');
  }
}

export interface NewEmail {
  readonly personId: string;
  readonly email: string;
  /** The session that stays open; null: none. */
  readonly sessionId: string | null;
}

/** The address as typed, cleaned up; null: it is invalid. */
export function readEmail(typed: string): string | null {
  const email = cleanEmail(normaliseString(typed));
  return isEmail(email) ? email : null;
}

/**
 * Revokes codes for both addresses, ends other sessions, notifies both addresses, and has invitations that still wait go to the new one.
 * Throws EmailTaken.
 */
export async function changeWithin(
  tx: Queryable,
  actor: Actor,
  { personId, email, sessionId }: NewEmail,
  at: Date,
): Promise<void> {
  await lockPerson(tx, personId);
  const person = await findPerson(tx, personId);
  if (person === null) throw new OperatorError('this person was removed');
  try {
    await updateEmail(tx, personId, email, at);
  } catch (error) {
    throw violatedConstraint(error) === 'person_email' ? new EmailTaken() : error;
  }
  await deleteEmailChange(tx, personId, null);
  await endCodes(tx, [person.email, email]);
  await moveInvitations(tx, person.email, email);
  await endOtherSessions(tx, personId, sessionId);
  await recordEntry(tx, ofPerson(personId, actor, 'emailChanged', at));
  const rest = { kind: 'emailChanged', codeId: null, workshopId: null, partnerId: null } as const;
  for (const each of [person.email, email])
    await insertAccountEmail(tx, { id: newId(), email: each, ...rest });
}

/**
 * The operator changes it without codes. Throws EmailTaken, OperatorError for an invalid address and when there is no such person.
 */
export async function changeEmail(
  context: ChangeContext,
  actor: Actor,
  who: string,
  typed: string,
): Promise<{ readonly personId: string; readonly email: string }> {
  const { db } = context;
  const email = readEmail(typed);
  if (email === null) throw new OperatorError(`${JSON.stringify(typed)} is not an e-mail address`);
  const { personId } = await requirePerson(db, who);
  await change(context, ({ tx, now }) => changeWithin(tx, actor, { personId, email, sessionId: null }, now));
  return { personId, email };
}
