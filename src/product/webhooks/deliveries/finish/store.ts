/**
 * SQL that records the outcomes of any number of attempts at once: the delivery and its log, the state of its endpoint's receiver,
 * and a resulting disablement. Rows are locked in one order: deliveries by id, then lanes by id. While a receiver works, its lane
 * is not locked; a wake says that it has room. So claims and records of one endpoint do not wait for each other's commits.
 */
import { insertEntries } from '#platform/audit/store.ts';
import type { Database } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { retryWhileUnavailable } from '#platform/db/retry-while-unavailable.ts';
import { failuresBeforeProbes } from '../claim/store.ts';
import { attemptsWith } from '../log/store.ts';

/** An endpoint that has only failed for this long is disabled. */
const failingDays = 5;
/** Failures further apart than this are not consecutive: nothing was tried in between. */
const apartDays = 2;
/** The pause before a probe doubles with each failed probe. */
const probePauses = { firstSeconds: 1, mostSeconds: 60 };

const columns = {
  deliveryId: 'uuid',
  webhookId: 'uuid',
  attemptId: 'uuid',
  delivered: 'boolean',
  /** 410: the endpoint is disabled. */
  gone: 'boolean',
  /** False when the receiver did not cause the failure. */
  counts: 'boolean',
  /** `{ at, responseStatus, durationMs, error }` */
  attempt: 'jsonb',
  /** In how many milliseconds it is due again; null: never. */
  inMs: 'float8 null',
  /** Business time. */
  now: 'timestamptz',
} as const;

export type Finish = RowValues<typeof columns>;

const probePause = (failures: string) =>
  `make_interval(secs => least(${probePauses.mostSeconds},
    ${probePauses.firstSeconds} * power(2, least(${failures} - ${failuresBeforeProbes}, 20))))`;

const finishText = (input: string) => `WITH ${input},
  clock AS (SELECT clock_timestamp() AS at),
  -- Only what the attempt still holds: a lease that ended belongs to another.
  own AS (
    SELECT input.* FROM input JOIN webhook_delivery d ON d.id = input.delivery_id AND d.attempt_id = input.attempt_id AND d.in_flight
     ORDER BY d.id FOR NO KEY UPDATE OF d),
  finished AS (
    UPDATE webhook_delivery d
       SET status = CASE WHEN own.delivered THEN 'delivered' WHEN own.in_ms IS NULL THEN 'failed' ELSE 'waiting' END,
           due_at = CASE WHEN NOT own.delivered THEN clock.at + own.in_ms * interval '1 millisecond' END,
           in_flight = false, attempt_id = NULL, attempts = ${attemptsWith('d', 'jsonb_build_array(own.attempt)')}
      FROM own CROSS JOIN clock WHERE d.id = own.delivery_id),
  -- All outcomes of an endpoint together: one that works ends the failures in a row.
  result AS (
    SELECT webhook_id, bool_or(delivered) AS works, bool_or(gone) AS gone,
      count(*) FILTER (WHERE counts AND NOT delivered) AS failed, max(now) AS now
      FROM own GROUP BY webhook_id),
  -- Lanes whose count of failures changes, locked in the order of their ids.
  held AS (
    SELECT l.webhook_id, result.works, result.failed, result.gone, result.now, l.failures + result.failed AS failures
      FROM result JOIN webhook_lane l ON l.webhook_id = result.webhook_id
     WHERE result.failed > 0 OR result.works AND (l.failures > 0 OR l.failing_since IS NOT NULL)
     ORDER BY l.webhook_id FOR NO KEY UPDATE OF l),
  -- Lanes that go on as they were.
  woken AS (
    INSERT INTO webhook_wake (webhook_id)
    SELECT l.webhook_id FROM result JOIN webhook_lane l ON l.webhook_id = result.webhook_id
    WHERE l.webhook_id NOT IN (SELECT webhook_id FROM held)),
  turned AS (
    UPDATE webhook_lane l
       SET version = l.version + 1,
           failures = CASE WHEN held.works THEN 0 ELSE held.failures END,
           failed_at = CASE WHEN held.works THEN NULL WHEN held.failed > 0 THEN clock.at ELSE l.failed_at END,
           failing_since = CASE WHEN held.works THEN NULL WHEN held.failed = 0 THEN l.failing_since
             WHEN l.failed_at > clock.at - interval '${apartDays} days' THEN l.failing_since ELSE clock.at END,
           probe_at = CASE WHEN held.works OR held.failures < ${failuresBeforeProbes} THEN NULL
             ELSE clock.at + ${probePause('held.failures')} END,
           next_at = CASE WHEN held.works OR held.failures < ${failuresBeforeProbes} THEN clock.at
             ELSE clock.at + ${probePause('held.failures')} END
      FROM held CROSS JOIN clock WHERE l.webhook_id = held.webhook_id
    RETURNING l.webhook_id, held.gone, held.now, l.failing_since <= clock.at - interval '${failingDays} days' AS is_failing),
  disabled AS (
  UPDATE webhook w
     SET status = 'disabled', disabled_reason = CASE WHEN turned.gone THEN 'gone' ELSE 'failing' END, updated_at = turned.now,
         notice_id = gen_random_uuid(), notice_due_at = clock_timestamp(), notice_tries = 0
    FROM turned WHERE w.id = turned.webhook_id AND w.status = 'enabled' AND (turned.gone OR turned.is_failing)
    RETURNING w.id, w.workshop_id, w.partner_id, w.disabled_reason, turned.now)
  ${insertEntries({
    ...{ from: 'disabled', actor: 'schedule', subjectKind: 'webhook', action: 'webhook.disabled' },
    before: `'{"status": "enabled"}'`,
    after: `jsonb_build_object('status', 'disabled', 'reason', disabled.disabled_reason)`,
    at: 'disabled.now',
  })}`;

const shared = gather<Finish, Record<string, never>>({
  columns,
  build: ({ input }) => finishText(input),
  partnerOf: () => '',
  keyOf: ({ deliveryId }) => deliveryId,
});

/**
 * Records the outcome of an attempt, in one statement with others that come at the same time. An attempt whose lease another
 * attempt has taken over changes nothing. The call is idempotent, so it is retried for 10 seconds while PostgreSQL is unavailable;
 * when it rejects, the end of the lease makes the delivery due again.
 */
export async function recordFinish(db: Database, finish: Finish): Promise<void> {
  await retryWhileUnavailable(() => shared(db, finish));
}
