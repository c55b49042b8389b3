/** SQL of endpoints as the operator sees them: over all partners, with the number of waiting deliveries. */

import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type FilterColumns, filterParameters } from '#platform/db/filters.ts';
import { instantJson } from '#platform/db/json.ts';
import { beforeId, highestId } from '#platform/db/page-bounds.ts';
import type { DeliveryAttempt } from '../deliveries/log/schema.ts';

/** Counting stops here, to stay quick. */
const countAtMost = 100_000;

export interface Endpoint {
  readonly webhookId: string;
  readonly partnerId: string;
  readonly partner: string;
  readonly url: string;
  readonly method: string;
  readonly actions: readonly string[];
  readonly workshopId: string | null;
  readonly description: string | null;
  readonly status: string;
  readonly disabledReason: string | null;
  readonly maxConcurrent: number;
  /** Waiting deliveries, including those in flight; stops at 100,000. */
  readonly waiting: number;
  /** Consecutive failures. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

const endpointColumns = `w.id AS webhook_id, w.partner_id, p.name AS partner, w.url, w.method, w.actions,
       w.workshop_id, w.description, w.status, w.disabled_reason, w.max_concurrent,
       (SELECT count(*)::int FROM (
         SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL LIMIT ${countAtMost}) AS waits) AS waiting,
       l.failures, l.failing_since, w.created_at`;

const ofPartner: FilterColumns<'partnerId'> = {
  partnerId: { type: 'uuid', is: (value) => `partner_id = ${value}` },
};

/** Newest first: up to `limit` before the id `before`, of one partner or of all. */
export function listEndpoints(
  db: Queryable,
  page: { readonly partnerId: string | null; readonly before: string | null; readonly limit: number },
): Promise<Endpoint[]> {
  const own = filterParameters(ofPartner, page, 3);
  return db.query<Endpoint>(
    `SELECT ${endpointColumns}
       FROM (SELECT * FROM webhook WHERE ${[...own.conditions, beforeId('id', '$1')].join(' AND ')} ORDER BY id DESC LIMIT $2) AS w
       JOIN partner p ON p.id = w.partner_id JOIN webhook_lane l ON l.webhook_id = w.id ORDER BY w.id DESC`,
    [page.before, page.limit, ...own.values],
  );
}

export async function findEndpoint(db: Queryable, webhookId: string): Promise<Endpoint | null> {
  const [endpoint] = await db.query<Endpoint>(
    `SELECT ${endpointColumns} FROM webhook w JOIN partner p ON p.id = w.partner_id JOIN webhook_lane l ON l.webhook_id = w.id
      WHERE w.id = $1`,
    [webhookId],
  );
  return endpoint ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such webhook endpoint. */
export const requireEndpoint = (db: Queryable, id: string): Promise<Endpoint> =>
  foundById('webhook endpoint', id, () => findEndpoint(db, id));

/** False when there is no such endpoint. Enabling clears the receiver's failures. `now` is business time. */
export async function setEndpointStatus(
  db: Queryable,
  webhookId: string,
  status: 'enabled' | 'disabled',
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `WITH changed AS (
       UPDATE webhook SET status = $2, disabled_reason = CASE WHEN $2 = 'disabled' THEN 'operator' END, notice_due_at = NULL,
              updated_at = greatest($3, updated_at + interval '1 millisecond')
        WHERE id = $1 RETURNING id)
     UPDATE webhook_lane l SET next_at = clock_timestamp(), version = l.version + 1, failures = 0, failing_since = NULL,
       failed_at = NULL, probe_at = NULL
       FROM changed WHERE l.webhook_id = changed.id RETURNING l.webhook_id`,
    [webhookId, status, now],
  );
  return rows.length > 0;
}

export interface LoggedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly action: string;
  readonly status: string;
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdAt: string;
}

/** An endpoint's deliveries, newest first: up to `limit` before the id `before`. */
export function listLogged(
  db: Queryable,
  webhookId: string,
  page: { readonly before: string | null; readonly limit: number },
): Promise<LoggedDelivery[]> {
  return db.query<LoggedDelivery>(
    `SELECT d.id AS delivery_id, d.event_id, d.action, d.status, d.attempts, ${instantJson('d.created_at')} AS created_at
       FROM unnest(ARRAY['waiting', 'delivered', 'failed']) AS its (status) CROSS JOIN LATERAL (
         SELECT * FROM webhook_delivery WHERE webhook_id = $1 AND status = its.status
            AND (created_at, id) < (coalesce((SELECT created_at FROM webhook_delivery WHERE id = $2::uuid), 'infinity'),
                                    coalesce($2::uuid, '${highestId}'))
          ORDER BY created_at DESC, id DESC LIMIT $3) AS d
      ORDER BY d.created_at DESC, d.id DESC LIMIT $3`,
    [webhookId, page.before, page.limit],
  );
}
