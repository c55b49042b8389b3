/** SQL of publication: each partner's events (table `partner_event`), and the deliveries made from them. */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { type FeedPage, type FeedPosition, feedText, readFeed } from '#platform/feed/store.ts';
import type { PublishedEvent } from '../body.ts';

export interface Publication {
  /** All of one kind of event. */
  readonly eventIds: readonly string[];
  readonly action: string;
  readonly key: string;
  /** Business time. */
  readonly now: Date;
}

/** The partner of an event of a booking, a message and the like. */
const ownPartner = 'SELECT source.partner_id WHERE source.partner_id IS NOT NULL';
/** The partners of an event of a customer: those with a booking or a message of the customer. */
const partnersOfCustomer = `SELECT partner_id FROM booking WHERE customer_id = source.subject_id AND partner_id IS NOT NULL
           UNION SELECT partner_id FROM message WHERE customer_id = source.subject_id AND partner_id IS NOT NULL`;

const publishText = (partners: string) => `WITH source AS MATERIALIZED (
    SELECT e.id, e.partner_id, e.workshop_id, e.subject_id, e.occurred_at
      FROM unnest($1::uuid[]) AS input (id) CROSS JOIN LATERAL (SELECT * FROM event WHERE id = input.id LIMIT 1) AS e
     WHERE e.payload ? $3::text),
  published AS (
    INSERT INTO partner_event (id, partner_id, workshop_id, action, updated_at)
    SELECT source.id, its.partner_id, source.workshop_id, $2::text, source.occurred_at
      FROM source CROSS JOIN LATERAL (${partners}) AS its ORDER BY source.id, its.partner_id
    ON CONFLICT DO NOTHING
    RETURNING id, partner_id, workshop_id),
  queued AS (
    INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
    SELECT ${newIdSql}, w.id, published.id, $2::text, 'waiting', clock_timestamp(), $4::timestamptz
      FROM published JOIN webhook w ON w.partner_id = published.partner_id AND w.status = 'enabled' AND $2::text = ANY (w.actions)
       AND coalesce(w.workshop_id, published.workshop_id) = published.workshop_id
    RETURNING webhook_id)
  INSERT INTO webhook_wake (webhook_id) SELECT DISTINCT webhook_id FROM queued`;

const publishOwn = planOnce(publishText(ownPartner));
const publishCustomers = planOnce(publishText(partnersOfCustomer));

/**
 * Adds the events to the feeds of their partners, and a delivery for each enabled endpoint that subscribes. Idempotent: an event
 * that is published already is skipped.
 */
export async function publishEvents(
  tx: Queryable,
  { eventIds, action, key, now }: Publication,
): Promise<void> {
  const text = key === 'customer' ? publishCustomers : publishOwn;
  await tx.query(text, [eventIds, action, key, now]);
}

/** A row of the feed as a JSON expression over `row` and its event `e`. */
const eventJson = `jsonb_build_object('id', row.id, 'action', row.action, 'version', e.version, 'payload', e.payload,
  'at', floor(extract(epoch FROM row.updated_at))::bigint)`;

/** Exported for tests that read its plan. `$5` is an action, or null for all. */
export const eventFeedText = feedText({
  table: 'partner_event',
  tenant: 'row.partner_id = $4::uuid',
  matches: 'row.action = coalesce($5::text, row.action)',
  item: eventJson,
  joins: 'JOIN event e ON e.id = row.id AND row.partner_id = $4::uuid',
});

/** A partner's events, in the order in which they became visible. */
export function readEventFeed(
  db: Queryable,
  partnerId: string,
  action: string | null,
  page: { readonly since: Date; readonly position: FeedPosition | null; readonly limit: number },
): Promise<FeedPage<PublishedEvent & { readonly at: number }>> {
  return readFeed(db, eventFeedText, [page.since, page.position, page.limit], [partnerId, action]);
}

/** For `keepFeed`: rewrites a batch of rows, so that each gets the number of this transaction. */
export async function rewritePartnerEvents(db: Queryable, after: string | null): Promise<string | null> {
  const [row] = await db.query<{ last: string | null }>(
    `WITH batch AS (SELECT DISTINCT id FROM (SELECT id FROM partner_event WHERE ${afterId('id', '$1')} ORDER BY id LIMIT 1000) AS first),
       rewritten AS (UPDATE partner_event SET changed_in = pg_current_xact_id() FROM batch WHERE partner_event.id = batch.id)
     SELECT max(id::text) AS last FROM batch`,
    [after],
  );
  return row?.last ?? null;
}

/** Deletes up to `limit` rows of at least this age (machine clock), and returns how many. */
export async function deletePartnerEvents(
  db: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `WITH old AS (
       SELECT id, partner_id FROM partner_event WHERE id < (SELECT first_id(clock_timestamp() - make_interval(days => $1)))
       ORDER BY id LIMIT $2)
     DELETE FROM partner_event p USING old WHERE p.id = old.id AND p.partner_id = old.partner_id RETURNING p.id`,
    [olderThanDays, limit],
  );
  return rows.length;
}
