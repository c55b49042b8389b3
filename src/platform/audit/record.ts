/** What the trail has that is no event: a verb writes it in the commit of its change. Events are copied by the relay (`copyEvents`). */

import { type Actor, partnerOf, storedActor } from '#base/values/actor.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { changesOf, type Fields } from './changes.ts';
import { redact } from './redact.ts';
import { type EntryRow, insertEntry, insertEntryOnce } from './store.ts';

export interface NewEntry {
  readonly actor: Actor;
  /** Null: it is of no workshop. */
  readonly workshopId: string | null;
  /** Whom it concerns, where that is not the partner who did it. */
  readonly partnerId?: string | null;
  /** What it happened to: `customer`, `workshop`, `webhook`. The id is null where there is none, as of a sign-in by an unknown address. */
  readonly subject: { readonly kind: string; readonly id: string | null };
  /** `customer.tagged`: the subject, and what was done. */
  readonly action: string;
  /** Where both are given, only the fields that differ are kept. Secrets are not, but that there were some. */
  readonly before?: Fields;
  readonly after?: Fields;
  /** Business time. */
  readonly at: Date;
}

/** Writes one entry; `tx` is the transaction of the change. A change that gives both sides, of which no field differs, is none. */
export async function recordEntry(tx: Queryable, entry: NewEntry): Promise<void> {
  const row = rowOf(entry);
  if (row !== null) await insertEntry(tx, row);
}

/** Writes one entry of a person who reads something out, such as a print; done again within `seconds`, as by a reload, it is the same entry. */
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
