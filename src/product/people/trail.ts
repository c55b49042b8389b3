/** The entries on people in the audit trail: with ids only, so that an erasure need not change them. */
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

/** An entry about a person, `person.<what>`; `personId` is null when nobody has the typed address. */
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
