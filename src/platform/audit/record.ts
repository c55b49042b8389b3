/**
 * Entries of the trail that are not events: a verb writes them in the commit of its change. The relay copies events
 * (`copyEvents`).
 */

import { type Actor, partnerOf, storedActor } from '#base/values/actor.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { changesOf, type Fields } from './changes.ts';
import { redact } from './redact.ts';
import { type EntryRow, insertEntry, insertEntryOnce } from './store.ts';

export interface NewEntry {
  readonly actor: Actor;
  /** Null: it is of no workshop. */
  readonly workshopId: string | null;
  /** The partner that it concerns, when that is not the actor. */
  readonly partnerId?: string | null;
  /** The subject of the change: `customer`, `workshop`, `webhook`. The id is null where there is none, as of a sign-in by an unknown address. */
  readonly subject: { readonly kind: string; readonly id: string | null };
  /** The subject and what was done, such as `customer.tagged`. */
  readonly action: string;
  /** When both are given, only the fields that differ are stored. Secrets are replaced by a mark. */
  readonly before?: Fields;
  readonly after?: Fields;
  /** Business time. */
  readonly at: Date;
}

/** Writes one entry; `tx` is the transaction of the change. Writes nothing when both sides are given and no field differs. */
export async function recordEntry(tx: Queryable, entry: NewEntry): Promise<void> {
  const row = rowOf(entry);
  if (row !== null) await insertEntry(tx, row);
}

/**
 * Writes one entry of a person who takes data out, such as a print; a repeat within `seconds`, such as a reload, is the same
 * entry.
 */
export async function recordEntryOnce(db: Database, entry: NewEntry, seconds: number): Promise<void> {
  const row = rowOf(entry);
  if (row !== null) await db.transaction((tx) => insertEntryOnce(tx, row, seconds));
}

function rowOf(entry: NewEntry): EntryRow | null {
  const { actor, workshopId, subject, action, at, before, after } = entry;
  const changes = before && after ? changesOf(before, after) : { before, after };
  if (changes === null) return null;
  return {
    ...{ workshopId, action, at, subjectKind: subject.kind, subjectId: subject.id },
    ...{ actor: storedActor(actor), requestId: actor.requestId },
    partnerId: entry.partnerId ?? partnerOf(actor),
    before: jsonOf(changes.before),
    after: jsonOf(changes.after),
  };
}

const jsonOf = (fields: Fields | undefined) => (fields === undefined ? null : JSON.stringify(redact(fields)));
