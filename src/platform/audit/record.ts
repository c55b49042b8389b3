/** What the trail has that is no event: a verb writes it in the commit of its change. Events are copied by the relay (`copyEvents`). */

import { type Actor, partnerOf, storedActor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { changesOf, type Fields } from './changes.ts';
import { redact } from './redact.ts';
import { insertEntry } from './store.ts';

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
  const { actor, workshopId, subject, action, at, before, after } = entry;
  const changes = before && after ? changesOf(before, after) : { before, after };
  if (changes === null) return;
  await insertEntry(tx, {
    ...{ workshopId, action, at, subjectKind: subject.kind, subjectId: subject.id },
    ...{ actor: storedActor(actor), requestId: actor.requestId },
    partnerId: entry.partnerId ?? partnerOf(actor),
    before: jsonOf(changes.before),
    after: jsonOf(changes.after),
  });
}

const jsonOf = (fields: Fields | undefined) => (fields === undefined ? null : JSON.stringify(redact(fields)));
