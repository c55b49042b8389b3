/** SQL of what delivery reports make of an attempt, and of its message. */
import type { Queryable } from '#db/database.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';
import { changeEvents, counts } from '../change/store.ts';
import { ofSegments, ofWhole, stateBy, tookIt, type Verdict } from './segments/store.ts';

export interface Reported {
  /** Our reference of the attempt. */
  readonly reference: string;
  /** Which gateway reported. */
  readonly gateway: string;
  /** What became of the whole SMS; null: what its segments come to by now. */
  readonly whole: Pick<DeliveryReport, 'state' | 'detail'> | null;
}

/**
 * Records it on the attempt and, while that is the message's latest or what counts, on the message, with the event. It may come before
 * the acceptance was recorded; none changes a final state, nor an attempt that was refused or that another gateway took. What waits
 * to be asked about is settled by it. False when no attempt has this reference. `now` is business time.
 */
export async function reportAttempt(
  db: Queryable,
  { reference, gateway, whole }: Reported,
  now: Date,
): Promise<boolean> {
  const verdict: Verdict = whole === null ? ofSegments('$1', '$3') : ofWhole(whole, 4);
  const rows = await db.query(
    `WITH verdict AS (${verdict.sql}),
     attempt AS (
       SELECT a.id, a.state IN ('sending', 'unknown') AS was_open, ${stateBy('v', 'm.segments')} AS state, v.detail
         FROM message_attempt a JOIN message m ON m.id = a.message_id CROSS JOIN verdict v WHERE a.id = $1),
     reported AS (
       UPDATE message_attempt AS a SET state = attempt.state, reason = NULL, detail = attempt.detail,
              gateway = CASE a.state WHEN 'accepted' THEN a.gateway ELSE $3 END,
              finished_at = coalesce(a.finished_at, clock_timestamp()),
              business_finished_at = coalesce(a.business_finished_at, $2)
         FROM attempt WHERE a.id = $1 AND ${tookIt('$3', 'a.gateway')} AND (a.state IN ('sending', 'unknown') OR a.state = 'accepted' AND attempt.state <> 'accepted')
          AND attempt.state IS NOT NULL
       RETURNING a.id, a.message_id, a.number, a.state, a.detail, attempt.was_open),
     changed AS (
       UPDATE message AS m SET state = reported.state, reason = NULL, detail = reported.detail, attempt_id = reported.id,
              attempts = greatest(m.attempts, reported.number), version = m.version + 1, updated_at = $2,
              handed_over_at = coalesce(m.handed_over_at, clock_timestamp())
         FROM reported WHERE m.id = reported.message_id AND m.state <> reported.state AND ${counts('reported', 'm')}
       RETURNING m.*, was_open),
     told AS (${changeEvents('changed')}),
     settled AS (
       DELETE FROM queued_message q USING reported
        WHERE q.message_id = reported.message_id AND q.attempt_id = reported.id AND NOT q.in_flight),
     spoken AS (
       UPDATE conversation v SET last_sent_at = clock_timestamp() FROM changed WHERE v.id = changed.conversation_id AND was_open)
     SELECT true FROM attempt`,
    [reference, now, gateway, ...verdict.values],
  );
  return rows.length > 0;
}
