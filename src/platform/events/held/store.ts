/**
 * SQL of held events: the person who made a change may undo it for some seconds, and until then the relay leaves its event alone.
 * A held event is one whose `relayed_at` is `infinity`, and a row of `held_event` says until when. Times are the machine's.
 */
import { type Actor, storedActor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';

/** The longest time for which an event may be held, in milliseconds. */
export const holdAtMostMs = 60_000;

/** A condition: the event is neither relayed nor withdrawn. Written so that PostgreSQL uses the index by subject, or by id. */
export const waits = (event: string) => `coalesce(${event}.relayed_at, 'infinity') = 'infinity'`;

export interface Hold {
  readonly eventId: string;
  /** The record that was changed, also where the event has another subject: any later change of it ends the wait. */
  readonly recordId: string;
  /** Its version after the change. */
  readonly recordVersion: number;
  /** From 1 to `holdAtMostMs`. */
  readonly holdMs: number;
  /** The row as it was before, for taking the change back. */
  readonly previous: object;
}

export interface Held {
  readonly eventId: string;
  /** The relay takes the event from this time on. Machine time. */
  readonly heldUntil: Date;
}

const ended = 'held_until = least(held_until, clock_timestamp()), previous = NULL';

/**
 * A CTE that ends the wait of what is held of a record (an SQL expression), for the statement of its next change, before whose event it
 * goes. It waits for no relay: one that has the event relays it.
 */
export const endHoldsCte = (recordId: string) => `ended AS (
      UPDATE held_event SET ${ended}
       WHERE event_id IN (SELECT event_id FROM held_event WHERE record_id = ${recordId} FOR UPDATE SKIP LOCKED))`;

/**
 * Holds an event that this transaction has recorded, and ends the wait of any earlier one of the record. Throws RangeError for a time
 * that is out of bounds, Error when there is no such event.
 */
export async function holdEvent(tx: Queryable, hold: Hold): Promise<Held> {
  const { eventId, recordId, recordVersion, holdMs, previous } = hold;
  if (!Number.isInteger(holdMs) || holdMs < 1 || holdMs > holdAtMostMs) {
    throw new RangeError(`an event is held for 1 to ${holdAtMostMs} ms, not ${holdMs}`);
  }
  const [held] = await tx.query<Held>(
    `WITH ${endHoldsCte('$2')},
     held AS (UPDATE event SET relayed_at = 'infinity' WHERE id = $1 AND relayed_at IS NULL RETURNING id)
     INSERT INTO held_event (event_id, record_id, record_version, held_until, previous)
     SELECT id, $2, $3, clock_timestamp() + make_interval(secs => $4::float8 / 1000), $5 FROM held RETURNING event_id, held_until`,
    [eventId, recordId, recordVersion, holdMs, JSON.stringify(previous)],
  );
  if (held === undefined) throw new Error(`no event ${eventId} waits`);
  return held;
}

/** The last change of the record when this actor may still undo it; null: there is none. */
export async function findHeld(
  db: Queryable,
  of: { readonly workshopId: string; readonly recordId: string; readonly actor: Actor },
): Promise<Held | null> {
  const [held] = await db.query<Held>(
    `SELECT h.event_id, h.held_until FROM held_event h JOIN event e ON e.id = h.event_id
      WHERE h.record_id = $1 AND e.workshop_id = $2 AND e.actor = $3
        AND h.previous IS NOT NULL AND h.held_until > (SELECT clock_timestamp()) AND e.relayed_at = 'infinity'
      ORDER BY h.record_version DESC LIMIT 1`,
    [of.recordId, of.workshopId, storedActor(of.actor)],
  );
  return held ?? null;
}

/** Ends the wait of what is held of these records, and of these events: for changes that record no event of them. */
export async function endHolds(
  tx: Queryable,
  recordIds: readonly string[],
  eventIds: readonly string[] = [],
): Promise<void> {
  await tx.query(
    `UPDATE held_event SET ${ended} WHERE record_id = ANY ($1::uuid[]) OR event_id = ANY ($2::uuid[])`,
    [recordIds, eventIds],
  );
}

/** A change, as undoing it needs to know it. */
export interface MadeChange {
  readonly kind: string;
  /** In the form of `storedActor`; null: recorded by a release that stored no actor. */
  readonly actor: string | null;
  readonly isWithdrawn: boolean;
  /** The changed record, with its version after the change. */
  readonly recordId: string;
  readonly recordVersion: number;
  /** True when it was held until its record was changed again. */
  readonly hasEnded: boolean;
}

/** Null: there is no such event, or it is another workshop's. */
export async function findChange(
  tx: Queryable,
  workshopId: string,
  eventId: string,
): Promise<MadeChange | null> {
  const [change] = await tx.query<MadeChange>(
    `SELECT e.kind, e.actor, e.withdrawn_at IS NOT NULL AS is_withdrawn,
            coalesce(h.record_id, e.subject_id) AS record_id, coalesce(h.record_version, e.version) AS record_version,
            h.event_id IS NOT NULL AND h.previous IS NULL AS has_ended
       FROM event e LEFT JOIN held_event h ON h.event_id = e.id WHERE e.id = $1 AND e.workshop_id = $2`,
    [eventId, workshopId],
  );
  return change ?? null;
}

/**
 * Withdraws an event whose time is not over, so that it is never relayed, and returns the row as it was before. Call it while the record is
 * locked. Null, at once, when its time is over, when its record was changed since, and while a relay has it.
 */
export async function withdrawEvent(tx: Queryable, eventId: string): Promise<object | null> {
  const [withdrawn] = await tx.query<{ previous: object }>(
    `WITH held AS MATERIALIZED (
       SELECT event.id FROM event JOIN held_event ON event_id = event.id
        WHERE event.id = $1 AND relayed_at = 'infinity' AND held_until > (SELECT clock_timestamp()) FOR UPDATE SKIP LOCKED),
     withdrawn AS (
       UPDATE event SET relayed_at = clock_timestamp(), withdrawn_at = clock_timestamp() FROM held WHERE event.id = held.id)
     DELETE FROM held_event USING held WHERE event_id = held.id RETURNING previous`,
    [eventId],
  );
  return withdrawn?.previous ?? null;
}
