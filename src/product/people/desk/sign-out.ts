/** Signs out everybody at a shared desk. */
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Context } from '#platform/context.ts';
import { ofPerson } from '../trail.ts';
import { endDesk, lockDesk } from './store.ts';

/** Writes a trail entry for each. Resolves to how many there were. */
export function signOutDesk(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  browserSha256: Buffer,
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockDesk(tx, browserSha256);
    const people = await endDesk(tx, browserSha256);
    for (const personId of people) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', clock.now()));
    return people.length;
  });
}
