/** What the audit trail has of people: by id alone, so that nothing of it has to be erased. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';
import type { SignInChange } from './emails/store.ts';

type What =
  | 'added'
  | 'changed'
  | 'removed'
  | 'erased'
  | 'codePrinted'
  | 'signedIn'
  | 'signedOut'
  | 'signInFailed'
  | 'switched'
  | 'pinFailed'
  | 'pinSet'
  | 'pinRemoved'
  | 'emailChanged'
  | SignInChange;

/** An entry about a person, `person.<what>`; `personId` is null where nobody has the address that was typed. */
export const ofPerson = (
  personId: string | null,
  actor: Actor,
  what: What,
  at: Date,
  workshopId: string | null = null,
): NewEntry => ({
  actor,
  workshopId,
  at,
  subject: { kind: 'person', id: personId },
  action: `person.${what}`,
});
