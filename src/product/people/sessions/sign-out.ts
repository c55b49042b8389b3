/** Signs people out; the trail records it. */
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { ofPerson } from '../trail.ts';
import { endAllSessions, endSession } from './store.ts';

/** Ends one session. False when the person has no such open session. */
export function signOut(
  context: ChangeContext,
  actor: Actor,
  { personId, sessionId }: { readonly personId: string; readonly sessionId: string },
): Promise<boolean> {
  return change(context, async ({ tx, now }) => {
    const ended = await endSession(tx, personId, sessionId);
    if (ended) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', now));
    return ended;
  });
}

/** Ends all sessions of a person. Resolves to how many were open. */
export function signOutEverywhere(context: ChangeContext, actor: Actor, personId: string): Promise<number> {
  return change(context, async ({ tx, now }) => {
    const ended = await endAllSessions(tx, personId);
    if (ended > 0) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', now));
    return ended;
  });
}
