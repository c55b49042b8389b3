/**
 * SQL that stores messages and queues them. Queueing writes to `send_wake` and never to `send_queue`, so it locks no row that a
 * claim or another queueing transaction needs.
 */

import { type Actor, actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { actorIs, actorValues } from '#platform/events/record.ts';
import { setAside } from '#platform/work/dead-letters/set-aside.ts';
import { changeEvents } from '../change/store.ts';
import { askSkips, optOutStops } from '../opt-out.ts';

/**
 * The most rows in one statement. Its CTEs are joined by nested loops, so its time grows with the square of the rows: with 800
 * rows, three quarters of the time went into the joins.
 */
const atOnce = 64;

export interface MessageRow {
  id: string;
  kind: string;
  class: number;
  workshop_id: string;
  channel: string;
  audience: string;
  customer_id: string | null;
  booking_id: string | null;
  template_id: string | null;
  template_version: number | null;
  cause_id: string | null;
  recipient: string;
  subject: string | null;
  body: string;
  encoding: string | null;
  segments: number | null;
  series_id: string | null;
  series_number: number | null;
  waits_ms: number | null;
  partner_id: string | null;
  /** Local times `HH:MM`; both null: no quiet hours. */
  quiet_from: string | null;
  quiet_until: string | null;
  /** Why it is stored as failed; null: it is queued. */
  refusal: 'pageCeiling' | 'heldBack' | 'noWayOut' | null;
  refusal_detail: string | null;
}

const rowColumns = `id uuid, kind text, class smallint, workshop_id uuid, channel text, audience text, customer_id uuid, booking_id uuid,
  template_id uuid, template_version integer, cause_id uuid, recipient text, subject text, body text, encoding text,
    segments integer, series_id uuid, series_number integer,
  waits_ms float8, partner_id uuid, quiet_from time, quiet_until time, refusal text, refusal_detail text`;

export interface Inserted {
  readonly id: string;
  /** Why it failed immediately; null: it is queued. */
  readonly reason: 'optedOut' | 'mayHaveOptedOut' | 'pageCeiling' | 'heldBack' | 'noWayOut' | null;
}

interface InsertOptions {
  readonly now: Date;
  readonly actor: Actor;
  readonly exemptCountries: readonly string[];
}

/**
 * Stores and queues any number of messages, 64 in a statement. Returns the created ones; a row whose cause, kind, audience, channel
 * and recipient exist already is skipped.
 */
export async function insertMessages(
  tx: Queryable,
  rows: readonly MessageRow[],
  options: InsertOptions,
): Promise<Inserted[]> {
  const inserted: Inserted[] = [];
  for (let from = 0; from < rows.length; from += atOnce)
    inserted.push(...(await insertStep(tx, rows.slice(from, from + atOnce), options)));
  return inserted;
}

const insertText = planOnce(
  `WITH input AS (
       SELECT * FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (${rowColumns})) WITH ORDINALITY
         AS input (${rowColumns.replace(/ (uuid|text|smallint|integer|float8|time)/g, '')}, place)
        -- The planner takes it for one row then, and looks rows up by their index, also in a plan that is kept from when a table was empty.
        WHERE place BETWEEN 1 AND ${atOnce}),
     -- A confirmation of an opt-out goes to a customer who has opted out.
     judged AS (
       SELECT marked.*, c.opted_out_at IS NOT NULL AS opted_out, CASE
                WHEN ${optOutStops('marked', 'c', 'w', '$3::text[]')} THEN 'optedOut'
                WHEN ${askSkips('marked', 'c')} THEN 'mayHaveOptedOut' END AS stopped
         FROM (SELECT *, kind = 'confirmation' AS despite_opt_out FROM input) AS marked
         JOIN workshop w ON w.id = marked.workshop_id
         LEFT JOIN customer c ON c.workshop_id = marked.workshop_id AND c.id = marked.customer_id),
     -- Their conversations, as far as there are some.
     talks AS (
       SELECT t.workshop_id, t.customer_id, v.id
         FROM (SELECT DISTINCT workshop_id, customer_id FROM input WHERE channel = 'sms' AND audience = 'customer') AS t
         LEFT JOIN conversation v ON v.workshop_id = t.workshop_id AND v.customer_id = t.customer_id),
     -- Two that open one at the same time get the same row.
     opened AS (
       INSERT INTO conversation (id, workshop_id, customer_id, created_at)
       SELECT ${newIdSql}, workshop_id, customer_id, $2 FROM talks WHERE id IS NULL ORDER BY customer_id
       ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id
       RETURNING workshop_id, customer_id, id),
     -- What would not be handed over fails at once, and has no entry. A repeat of its cause makes none.
     made AS (
       INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, template_id, template_version, direction, channel,
         kind, audience, cause_id, recipient, subject, body, encoding, segments, series_id, series_number, partner_id, state,
         reason, detail, despite_opt_out, created_at, updated_at)
       SELECT j.id, j.workshop_id, coalesce(talks.id, opened.id), j.customer_id, j.booking_id, j.template_id, j.template_version,
              'outbound', j.channel, j.kind, j.audience, j.cause_id, j.recipient, j.subject, j.body, j.encoding, j.segments,
              j.series_id, j.series_number, j.partner_id,
              CASE WHEN coalesce(stopped, refusal) IS NOT NULL THEN 'failed' ELSE 'sending' END, coalesce(stopped, refusal),
              CASE WHEN stopped IS NULL THEN refusal_detail END, opted_out AND stopped IS NULL AND j.channel = 'sms', $2, $2
         FROM judged j
         LEFT JOIN talks ON j.channel = 'sms' AND j.audience = 'customer' AND talks.workshop_id = j.workshop_id
           AND talks.customer_id = j.customer_id
         LEFT JOIN opened ON j.channel = 'sms' AND j.audience = 'customer' AND opened.workshop_id = j.workshop_id
           AND opened.customer_id = j.customer_id
        ORDER BY j.place
       ON CONFLICT (cause_id, kind, audience, channel, recipient) WHERE cause_id IS NOT NULL DO NOTHING
       RETURNING *),
     queued AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, series_id, series_number, recipient, quiet_from,
         quiet_until, created_at, expires_at)
       SELECT made.id, made.workshop_id, made.channel, j.class, clock_timestamp(), made.series_id, made.series_number, made.recipient,
              j.quiet_from, j.quiet_until, clock_timestamp(), clock_timestamp() + waits_ms * interval '1 millisecond'
         FROM made JOIN judged j ON j.id = made.id WHERE made.state = 'sending'
        ORDER BY j.place
       RETURNING workshop_id, channel, class),
     woken AS (
       INSERT INTO send_wake (workshop_id, channel, class, due_at)
       SELECT workshop_id, channel, class, clock_timestamp() FROM queued GROUP BY workshop_id, channel, class),
     failed AS (SELECT * FROM made WHERE state = 'failed'),
     recorded AS (${changeEvents('failed', { actor: '$4', requestId: '$5' })})
     SELECT id, reason FROM made`,
);

function insertStep(
  tx: Queryable,
  rows: readonly MessageRow[],
  { now, exemptCountries, actor }: InsertOptions,
): Promise<Inserted[]> {
  const by = actorValues(actor);
  return tx.query<Inserted>(insertText, [JSON.stringify(rows), now, exemptCountries, by.actor, by.requestId]);
}

export interface KindRule {
  readonly kind: string;
  readonly class: number;
  readonly waits_ms: number | null;
}

/** Queues a message again that is neither queued nor delivered. `rules` holds the rules of its kind, among others. */
export async function requeueMessage(
  tx: Queryable,
  messageId: string,
  rules: readonly KindRule[],
): Promise<boolean> {
  const rows = await tx.query(
    `WITH its AS (
       SELECT m.id, m.workshop_id, m.channel, r.class, m.series_id, m.series_number, m.recipient, r.waits_ms,
              CASE a.state WHEN 'unknown' THEN a.id END AS unknown_attempt_id
         FROM message m JOIN jsonb_to_recordset($2::jsonb) AS r (kind text, class smallint, waits_ms float8) ON r.kind = m.kind
         LEFT JOIN message_attempt a ON a.id = m.attempt_id
        WHERE m.id = $1 AND m.state IN ('sending', 'failed', 'unknown', 'expired')),
     -- Still to be sent, as far as is known.
     open AS (
       UPDATE message SET state = 'failed', version = version + 1 FROM its WHERE message.id = its.id AND message.state = 'expired'),
     queued AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, series_id, series_number, recipient,
         created_at, expires_at)
       SELECT id, workshop_id, channel, class, clock_timestamp(), unknown_attempt_id, series_id, series_number, recipient,
         clock_timestamp(),
              clock_timestamp() + waits_ms * interval '1 millisecond'
         FROM its
       ON CONFLICT (message_id) DO NOTHING
       RETURNING workshop_id, channel, class)
     INSERT INTO send_wake (workshop_id, channel, class, due_at)
     SELECT workshop_id, channel, class, clock_timestamp() FROM queued RETURNING true`,
    [messageId, JSON.stringify(rules)],
  );
  return rows.length > 0;
}

/**
 * Sets aside all queued messages after a restore: their outcome is unknown, and none is handed over until a person retries its dead
 * letter. Messages that a request was sending are left to the sweep, which sends nothing. `lettered` are the kinds that get a dead
 * letter. Returns the number of messages.
 */
export async function setAsideQueued(tx: Queryable, lettered: readonly string[], now: Date): Promise<number> {
  const rows = await tx.query(
    `WITH aside AS MATERIALIZED (DELETE FROM queued_message WHERE class IS NOT NULL RETURNING message_id, attempt_id, tries),
     open AS MATERIALIZED (
       SELECT aside.*, m.kind FROM aside JOIN message m ON m.id = aside.message_id WHERE m.state IN ('sending', 'failed', 'unknown')),
     ended AS (
       UPDATE message_attempt a SET state = 'unknown', reason = 'unknownOutcome', detail = $2, finished_at = clock_timestamp(),
         business_finished_at = $3
         FROM open WHERE a.id = open.attempt_id AND a.state = 'sending'),
     changed AS (
       UPDATE message m
          SET state = 'unknown', reason = 'unknownOutcome', detail = $2, attempt_id = coalesce(open.attempt_id, m.attempt_id),
              attempts = greatest(m.attempts, open.tries), version = m.version + 1, updated_at = $3, handed_over_at = clock_timestamp()
         FROM open WHERE m.id = open.message_id
       RETURNING m.*),
     events AS (${changeEvents('changed', actorIs(actors.operator))}),
     letters AS (
       INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
       SELECT ${newIdSql}, 'send', jsonb_build_object('messageId', message_id), $1, $2, tries, $3 FROM open WHERE kind = ANY ($4::text[])
       ON CONFLICT (job, payload) DO NOTHING)
     SELECT message_id FROM open`,
    [setAside.reason, setAside.detail, now, lettered],
  );
  return rows.length;
}
