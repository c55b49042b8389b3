/** Signs people out; the trail records it. */
import type { Clock } from '#base/clock.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { ofPerson } from '../trail.ts';
import { endAllSessions, endSession } from './store.ts';

interface Needed {
  readonly db: Database;
  readonly clock: Clock;
}

/** Ends one session. False when the person has no such open session. */
export function signOut(
  { db, clock }: Needed,
  actor: Actor,
  { personId, sessionId }: { readonly personId: string; readonly sessionId: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ended = await endSession(tx, personId, sessionId);
    if (ended) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', clock.now()));
    return ended;
  });
}

/** Ends all sessions of a person. Resolves to how many were open. */
export function signOutEverywhere({ db, clock }: Needed, actor: Actor, personId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await endAllSessions(tx, personId);
    if (ended > 0) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', clock.now()));
    return ended;
  });
}
