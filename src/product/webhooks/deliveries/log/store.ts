/** SQL of the delivery log: pages of it, replays, test calls, retention. */
import type { Queryable } from '#platform/db/database.ts';
import { instantJson } from '#platform/db/json.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import type { TimedPage } from '#platform/http/paging.ts';
import { testAction } from '../../actions.ts';
import {
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryStatuses,
  type WebhookDelivery,
} from './schema.ts';

/** The last attempts that a delivery keeps, since replays add more. */
const attemptsKept = 50;

/** A jsonb expression: the attempts of a row, followed by those of another list. */
export const attemptsWith = (delivery: string, more: string) =>
  `jsonb_path_query_array(${delivery}.attempts || ${more}, '$[last - ${attemptsKept - 1} to last]')`;

/** A jsonb expression over a delivery row `d`; `offset` is how far business time is ahead of the machine's. */
const deliveryJson = (
  d: string,
  offset: string,
) => `jsonb_build_object('id', ${d}.id, 'eventId', ${d}.event_id, 'action', ${d}.action,
    'status', ${d}.status, 'attempts', ${d}.attempts, 'createdAt', ${instantJson(`${d}.created_at`)},
    'nextAttemptAt', CASE WHEN NOT ${d}.in_flight THEN ${instantJson(`(${d}.due_at + ${offset})`)} END)`;

export interface DeliveryFilters {
  readonly status?: DeliveryStatus | undefined;
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface ListedDelivery {
  readonly id: string;
  readonly delivery: WebhookDelivery;
}

/** One status after the other, each newest first by its index. */
const listText = `SELECT page.id, own.delivery
    FROM (
      SELECT found.id, found.created_at FROM unnest($3::text[]) AS wanted (status) CROSS JOIN LATERAL (
        SELECT d.id, d.created_at FROM webhook_delivery d
         WHERE d.webhook_id = $1::uuid AND d.status = wanted.status AND d.created_at >= $4::timestamptz
           AND (d.created_at, d.id) < ($5::timestamptz, $6::uuid) AND d.action = coalesce($7::text, d.action)
         ORDER BY d.created_at DESC, d.id DESC LIMIT $8::integer) AS found
       ORDER BY found.created_at DESC, found.id DESC LIMIT $8::integer) AS page
   CROSS JOIN LATERAL (
     SELECT ${deliveryJson('d', 'make_interval(secs => $2::float8)')} AS delivery FROM webhook_delivery d WHERE d.id = page.id
     LIMIT 1) AS own
   ORDER BY page.created_at DESC, page.id DESC`;

export interface LogPage {
  readonly webhookId: string;
  readonly filters: DeliveryFilters;
  readonly after: TimedPage['after'];
  readonly limit: number;
  /** How far business time is ahead of the machine's. */
  readonly aheadSeconds: number;
}

/** Exported for tests that read its plan. */
export function listStatement({ webhookId, filters, after, limit, aheadSeconds }: LogPage): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const statuses = filters.status === undefined ? deliveryStatuses : [filters.status];
  const { from = '-infinity', to = 'infinity', action = null } = filters;
  const end = after ?? { at: to, id: lowestId };
  return {
    text: listText,
    values: [webhookId, aheadSeconds, statuses, from, end.at, end.id, action, limit],
  };
}

/** An endpoint's deliveries, newest first: up to `limit` after the position. */
export function listDeliveries(db: Queryable, page: LogPage): Promise<ListedDelivery[]> {
  const { text, values } = listStatement(page);
  return db.query<ListedDelivery>(text, values);
}

/** Makes a row due again, as before its first attempt. */
const queuedAgain = `status = 'waiting', due_at = clock_timestamp(), tries = 0, replayed_at = clock_timestamp()`;
/** Not in flight, and not replayed within the minute. */
const mayBeReplayed = `NOT d.in_flight AND coalesce(d.replayed_at <= (SELECT clock_timestamp() - interval '1 minute'), true)`;

/** Queues one delivery again; null when the endpoint has no such delivery, 0 when it may not be replayed now. */
export async function replayDelivery(
  tx: Queryable,
  webhookId: string,
  deliveryId: string,
): Promise<number | null> {
  const [row] = await tx.query<{ queued: number }>(
    `WITH own AS (
       SELECT id, ${mayBeReplayed} AS may FROM webhook_delivery d WHERE id = $2 AND webhook_id = $1 AND action <> '${testAction}'
         FOR NO KEY UPDATE),
     again AS (UPDATE webhook_delivery d SET ${queuedAgain} FROM own WHERE d.id = own.id AND own.may RETURNING d.webhook_id),
     -- Who claims takes them up at once.
     woken AS (INSERT INTO webhook_wake (webhook_id) SELECT webhook_id FROM again)
     SELECT (SELECT count(*)::int FROM again) AS queued FROM own`,
    [webhookId, deliveryId],
  );
  return row?.queued ?? null;
}

export interface ReplayStep {
  readonly webhookId: string;
  readonly statuses: readonly DeliveryStatus[];
  /** Business time: only deliveries created since then. */
  readonly since: Date;
  /** Business time: when the replay began. Deliveries attempted since then are left out. */
  readonly before: Date;
  readonly limit: number;
}

/** Queues up to `limit` deliveries again, and returns how many. Those in flight, due already, or replayed within the minute are left out. */
export async function replayDeliveries(tx: Queryable, step: ReplayStep): Promise<number> {
  const { webhookId, statuses, since, before, limit } = step;
  const [row] = await tx.query<{ queued: number }>(
    `WITH old AS (
       SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
         SELECT d.id FROM webhook_delivery d
          WHERE d.webhook_id = $1 AND d.status = wanted.status AND d.created_at >= $3 AND d.created_at <= $4 AND ${mayBeReplayed}
            AND coalesce(d.attempted_at < $4, true) AND coalesce(d.due_at > (SELECT clock_timestamp()), true)
            AND d.action <> '${testAction}'
          LIMIT $5 FOR NO KEY UPDATE SKIP LOCKED) AS own
        LIMIT $5),
     again AS (UPDATE webhook_delivery d SET ${queuedAgain} FROM old WHERE d.id = old.id RETURNING d.webhook_id),
     woken AS (INSERT INTO webhook_wake (webhook_id) SELECT DISTINCT webhook_id FROM again)
     SELECT count(*)::int AS queued FROM again`,
    [webhookId, statuses, since, before, limit],
  );
  return row?.queued ?? 0;
}

export interface TestCall {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly delivered: boolean;
  readonly attempt: DeliveryAttempt;
  /** Business time. */
  readonly now: Date;
}

/** Adds a test call to the log. A successful call ends the pause of a receiver that had failed. */
export async function insertTestCall(db: Queryable, call: TestCall): Promise<WebhookDelivery> {
  const [row] = await db.query<{ delivery: WebhookDelivery }>(
    `WITH made AS (
       INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, attempts, attempted_at, created_at)
       VALUES ($1, $2, $1, '${testAction}', CASE WHEN $3::boolean THEN 'delivered' ELSE 'failed' END, jsonb_build_array($4::jsonb), $5, $5)
       RETURNING *),
     -- A receiver that answers has no failures in a row any more.
     works AS (
       UPDATE webhook_lane SET failures = 0, failing_since = NULL, failed_at = NULL, probe_at = NULL, next_at = clock_timestamp(),
         version = version + 1
        WHERE webhook_id = $2 AND $3::boolean)
     SELECT ${deliveryJson('made', `interval '0'`)} AS delivery FROM made`,
    [call.deliveryId, call.webhookId, call.delivered, JSON.stringify(call.attempt), call.now],
  );
  if (row === undefined) throw new Error('a test call could not be stored');
  return row.delivery;
}

/** Deletes up to `limit` deliveries of at least this age (machine clock), and returns how many. */
export async function deleteDeliveries(db: Queryable, olderThanDays: number, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS (
       SELECT id FROM webhook_delivery WHERE id < (SELECT first_id(clock_timestamp() - make_interval(days => $1))) ORDER BY id LIMIT $2)
     DELETE FROM webhook_delivery d USING old WHERE d.id = old.id RETURNING d.id`,
    [olderThanDays, limit],
  );
  return rows.length;
}

/** Deletes the wakes of deleted endpoints. */
export async function deleteOrphanWakes(db: Queryable): Promise<void> {
  await db.query(
    'DELETE FROM webhook_wake w WHERE NOT EXISTS (SELECT FROM webhook_lane l WHERE l.webhook_id = w.webhook_id)',
  );
}
