/** Events caused by a customer's page, and the notices that must not be sent for them. */
import type { Queryable } from '#platform/db/database.ts';

/** A change by the event that it recorded: there is one for each version of its subject. */
export interface RecordedChange {
  /** The booking or quote. */
  readonly subjectId: string;
  /** Its version after the change. */
  readonly version: number;
}

/** Marks an event in the transaction that recorded it. `withheld` names notices by audience and channel: `customer sms`. */
export async function markFromPage(
  tx: Queryable,
  { subjectId, version }: RecordedChange,
  withheld: readonly string[],
): Promise<void> {
  await tx.query('UPDATE event SET page_withholds = $3 WHERE subject_id = $1 AND version = $2', [
    subjectId,
    version,
    withheld,
  ]);
}

/** Expressions over an event row: whether a page caused it, and whether it withholds the notices of an audience and channel. */
export const isFromPage = (event: string) => `${event}.page_withholds IS NOT NULL`;
export const isWithheld = (event: string, audience: string, channel: string) =>
  `coalesce(${audience} || ' ' || ${channel} = ANY(${event}.page_withholds), false)`;
