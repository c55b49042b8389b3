/**
 * SQL of a claim of deliveries: it takes the lanes that are due, or have a wake, and from each as many due deliveries as its share
 * of the room and its own limit allow. A lane's row is locked while its deliveries in flight are counted, so the limit holds over
 * all processes. The number of rows read depends on the room, and lanes that others have locked are skipped.
 *
 * Places of this process go first to the partners with the fewest in flight, and within a partner to the lanes with the least in
 * flight. A partner gets another place only while it has fewer than are free, so that some remain for others, however slow its
 * receivers are; its other lanes are left to other processes.
 */
import type { Queryable } from '#platform/db/database.ts';
import { instantJson } from '#platform/db/json.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { saturatingIncrement } from '#platform/db/saturating-increment.ts';
import { fullScan, type Scan, type ScanWindow, scanFromTime } from '#platform/db/scan-window.ts';
import { partnerAtOnce } from '#platform/gateways/outbound/client.ts';
import { claimed, turnsOf } from '#platform/work/turns/store.ts';
import type { PublishedEvent } from '../../body.ts';
import { attemptsWith } from '../log/store.ts';

/** The deliveries of each endpoint. */
export const turns = turnsOf({
  lane: { table: 'webhook_lane', key: ['webhook_id'] },
  entry: { table: 'webhook_delivery', id: 'id' },
  // Longer than one attempt may take.
  leaseSeconds: 20,
});
/** After this many failures in a row, one probe at a time. */
export const failuresBeforeProbes = 10;
/** Most of the wakes are for few lanes. */
const wakesAtOnce = 10_000;
/** A lane whose partner is suspended is checked again after this time. */
const suspendedSeconds = 5;

export interface ClaimedDelivery {
  readonly id: string;
  readonly partnerId: string;
  readonly webhookId: string;
  readonly attemptId: string;
  readonly eventId: string;
  readonly action: string;
  /** Attempts since it was queued or replayed, including this one. */
  readonly tries: number;
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** All active secrets, sealed; the present one first. */
  readonly sealedSecrets: readonly string[];
  /** Null when the event is no longer stored. */
  readonly payload: PublishedEvent['payload'] | null;
  /** The version of the event's object. */
  readonly version: number | null;
}

/** The entry in the log of an attempt whose process died. */
const lostAttempt = (delivery: string) =>
  `jsonb_build_array(jsonb_build_object('at', ${instantJson(`${delivery}.attempted_at`)}, 'responseStatus', NULL, 'durationMs', NULL,
             'error', 'the outcome is unknown: the service stopped during the attempt'))`;

/** More than a partner may have. */
const endpointsRead = 1_000;

/** The most deliveries of one partner in flight in this process, when `free` places are free. */
const mayHave = (free: string) => `least(${partnerAtOnce}, ${free})`;

/**
 * Where this look at wakes begins. Wakes that are skipped because another process has their lane are seen again for half a minute,
 * and by full scans.
 */
const beginning = scanFromTime('$5', '$6');

const claimText = planOnce(`WITH clock AS (SELECT clock_timestamp() AS at),
  -- How many of each partner this process has under way.
  load AS (SELECT * FROM unnest($3::uuid[], $4::integer[]) AS load (partner_id, running)),
  -- Endpoints of partners that have all their places taken.
  full_lane AS (
    SELECT own.id FROM load CROSS JOIN LATERAL (SELECT id FROM webhook WHERE partner_id = load.partner_id LIMIT ${endpointsRead}) AS own
     WHERE load.running >= ${mayHave('$1::integer')}),
  wake AS (
    SELECT webhook_id, queued_at, ctid AS row FROM webhook_wake
     WHERE queued_at >= ${beginning} AND webhook_id NOT IN (SELECT id FROM full_lane) ORDER BY queued_at LIMIT ${wakesAtOnce}),
  -- Lanes that are due, and those with a wake.
  candidate AS (
    SELECT due.webhook_id, coalesce(l.next_at, clock.at) AS next_at, l.version
      FROM clock CROSS JOIN (
        (SELECT webhook_id FROM webhook_lane
          WHERE next_at <= (SELECT at FROM clock) AND webhook_id NOT IN (SELECT id FROM full_lane) ORDER BY next_at LIMIT $1::integer)
        UNION SELECT webhook_id FROM wake) AS due
     CROSS JOIN LATERAL (SELECT next_at, version FROM webhook_lane WHERE webhook_id = due.webhook_id LIMIT 1) AS l),
  ${turns.chosen({ columns: ['failures', 'probe_at'] })},
  -- How many more each may have at once; a failing one gets a single probe.
  lane AS (
    SELECT chosen.webhook_id, chosen.next_at, chosen.probe_at, w.status = 'enabled' AS is_enabled, p.status = 'active' AS is_active,
      w.partner_id, w.url, w.method, busy.count AS busy,
           CASE WHEN w.status = 'enabled' AND p.status = 'active' AND coalesce(chosen.probe_at <= clock.at, true)
             THEN greatest(0, CASE WHEN chosen.failures >= ${failuresBeforeProbes} THEN 1 ELSE w.max_concurrent END - busy.count)::integer
             ELSE 0 END AS free
      FROM chosen CROSS JOIN clock
     CROSS JOIN LATERAL (SELECT * FROM webhook WHERE id = chosen.webhook_id LIMIT 1) AS w
     CROSS JOIN LATERAL (SELECT status FROM partner WHERE id = w.partner_id LIMIT 1) AS p
     CROSS JOIN LATERAL (
       SELECT count(*) AS count FROM webhook_delivery d WHERE d.webhook_id = chosen.webhook_id AND d.in_flight
         AND d.due_at > clock.at) AS busy
     WHERE chosen.is_known),
  -- How many deliveries each lane may have of the room.
  share AS MATERIALIZED (SELECT ceil($1::float8 / greatest(count(*), 1))::integer AS size FROM lane WHERE free > 0),
  ${turns.seen({
    ...{
      from: 'lane CROSS JOIN share',
      lane: 'lane',
      size: 'least(share.size, lane.free)',
      columns: ['lane.partner_id'],
    },
    ...{ placeAfter: 'lane.busy', where: 'lane.free > 0' },
  })},
  -- The order within each partner: the first delivery of each of its lanes before the second ones.
  ranked AS (
    SELECT seen.id, seen.due_at, seen.next_at, coalesce(load.running, 0) + row_number() OVER (
             PARTITION BY seen.partner_id ORDER BY seen.place, seen.next_at) AS partner_place
      FROM seen LEFT JOIN load ON load.partner_id = seen.partner_id WHERE seen.is_wanted),
  -- As many as there is room for, partner by partner in turn.
  wanted AS MATERIALIZED (
    SELECT id, due_at FROM (SELECT *, row_number() OVER (ORDER BY partner_place, next_at) AS turn FROM ranked) AS queued
     WHERE partner_place <= ${mayHave('$1::integer + 1 - turn')}),
  ${turns.locked},
  leased AS (
    UPDATE webhook_delivery d
       SET in_flight = true, due_at = ${turns.leaseFrom('clock.at')}, tries = ${saturatingIncrement('d.tries')},
         attempt_id = ${newIdSql},
           attempted_at = $2::timestamptz,
           attempts = CASE WHEN d.in_flight THEN ${attemptsWith('d', lostAttempt('d'))} ELSE d.attempts END
      FROM locked CROSS JOIN clock WHERE d.id = locked.id
    RETURNING d.id, d.webhook_id, d.event_id, d.action, d.tries, d.attempt_id, d.due_at),
  ${turns.leftOver},
  -- When each lane has its next turn.
  next AS (
    SELECT lane.webhook_id, CASE
             WHEN NOT lane.is_enabled THEN NULL
             WHEN NOT lane.is_active THEN clock.at + interval '${suspendedSeconds} seconds'
             WHEN lane.probe_at > clock.at THEN lane.probe_at
             WHEN lane.free <= coalesce(left_over.taken, 0) THEN ${turns.leaseFrom('clock.at')}
             ELSE left_over.due_at END AS next_at, coalesce(left_over.taken, 0) > 0 AS has_taken
      FROM lane CROSS JOIN clock ${turns.joinLeftOver('lane')}),
  -- Wakes of lanes that were looked at are done; the others stay.
  woken AS (DELETE FROM webhook_wake WHERE ctid = ANY (ARRAY(SELECT row FROM wake WHERE webhook_id IN (SELECT webhook_id FROM lane)))),
  ${turns.turned('next.has_taken OR own.next_at IS DISTINCT FROM next.next_at')}
  SELECT leased.id, lane.partner_id, leased.webhook_id, leased.attempt_id, leased.event_id, leased.action, leased.tries,
         lane.url, lane.method, e.payload, e.version,
         ARRAY(SELECT s.sealed FROM webhook_secret s
                WHERE s.webhook_id = leased.webhook_id AND coalesce(s.expires_at > clock.at, true) ORDER BY s.id DESC) AS sealed_secrets,
         ${turns.moreDue('lane')} AS more_due,
           (SELECT min(queued_at)::text FROM wake) AS oldest_wake
    FROM clock LEFT JOIN leased ON true LEFT JOIN lane ON lane.webhook_id = leased.webhook_id
    LEFT JOIN LATERAL (SELECT payload, version FROM event WHERE id = leased.event_id LIMIT 1) AS e ON true`);

export interface DeliveryClaim {
  /** The most deliveries to claim: the free places of this process. */
  readonly room: number;
  /** How many deliveries of each partner this process has in flight. */
  readonly running: ReadonlyMap<string, number>;
  /** Business time. */
  readonly now: Date;
}

/** The statement of a claim and its values, for tests that read its plan. */
export function claimStatement(
  { room, running, now }: DeliveryClaim,
  { isFull, oldest }: Scan = fullScan,
): {
  readonly text: string;
  readonly values: unknown[];
} {
  return {
    text: claimText,
    values: [room, now, [...running.keys()], [...running.values()], isFull, oldest],
  };
}

export interface ClaimedDeliveries {
  readonly deliveries: ClaimedDelivery[];
  /** More deliveries are due than were claimed: the room was used up, or another process is claiming from their lane. */
  readonly moreDue: boolean;
}

interface ClaimedRow {
  readonly moreDue: boolean;
  readonly oldestWake: string | null;
}

/** Claims up to `room` deliveries, each with a lease. One round trip, with its own commit. Without `scans` it takes all wakes. */
export async function claimDeliveries(
  db: Queryable,
  claim: DeliveryClaim,
  scans?: ScanWindow,
): Promise<ClaimedDeliveries> {
  const { text, values } = claimStatement(claim, scans?.next());
  const rows = await db.query<ClaimedRow & (ClaimedDelivery | { id: null })>(text, values);
  scans?.found(rows[0]?.oldestWake ?? null);
  const { entries, moreDue } = claimed<ClaimedDelivery>(rows.map(({ oldestWake: _, ...row }) => row));
  return { deliveries: entries, moreDue };
}
