/** Signs out everybody at a shared desk. */
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { ofPerson } from '../trail.ts';
import { endDesk, lockDesk } from './store.ts';

/** Writes a trail entry for each. Resolves to how many there were. */
export function signOutDesk(context: ChangeContext, actor: Actor, browserSha256: Buffer): Promise<number> {
  return change(context, async ({ tx, now }) => {
    await lockDesk(tx, browserSha256);
    const people = await endDesk(tx, browserSha256);
    for (const personId of people) await recordEntry(tx, ofPerson(personId, actor, 'signedOut', now));
    return people.length;
  });
}
