/** SQL of attempts at notices, the same for both kinds: their tables have the same columns for it. */
import type { Queryable } from '#db/database.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';
import {
  acceptedSegments,
  noSegments,
  ofSegments,
  ofWhole,
  segmentKeys,
  stateBy,
  tookIt,
} from '#messaging/attempts/segments/store.ts';
import type { Sending } from '#work/flags.ts';
import { routeName } from '#workshops/store.ts';

export type NoticeTable = 'notification' | 'answer_notice';

/** A notice to be delivered. */
export interface NewNotice extends Sending {
  readonly id: string;
}

export interface Claim {
  readonly id: string;
  /** The new attempt; only its holder may record the outcome. */
  readonly attemptId: string;
  /** The installation's. */
  readonly smsGateway: string;
  readonly emailGateway: string;
  /** Business time. */
  readonly at: Date;
  /** The attempt in doubt that the gateway was asked about, and that may be followed by this one. */
  readonly asked?: Asked;
}

export interface Asked {
  readonly attemptId: string;
  /** True when it may have arrived all the same. */
  readonly repeatsUnknown: boolean;
}

/** An earlier attempt that may have arrived: it was handed over, and no answer was recorded. */
export interface Doubt {
  readonly attemptId: string;
  /** The gateway that had it, or the list where it is not known which. */
  readonly gateway: string | null;
  /** `sending`: whoever sent it is gone. */
  readonly state: 'sending' | 'unknown';
  /** Business time of its latest record. */
  readonly since: Date;
  /** True when the notice was sent again once already, although an attempt before may have arrived. */
  readonly repeatsUnknown: boolean;
}

export type Claimed<Notice> = { readonly claimed: Notice } | { readonly doubt: Doubt };

/** An SMS whose latest attempt is in doubt. */
const isDoubtful = `n.channel = 'sms' AND n.state IN ('sending', 'unknown')`;

/**
 * What a statement that claims sets, from its CTE `due`, with the parameters of `claimValues`. An attempt in doubt is
 * followed by another only from who has asked about that very one; until then it takes reports.
 */
export const claimSet = `state = 'sending', attempt_id = $2, attempts = attempts + 1, updated_at = $5,
  gateway = CASE n.channel WHEN 'sms' THEN (SELECT ${routeName('w', '$3')} FROM workshop w WHERE w.id = n.workshop_id) ELSE $4 END,
  repeats_unknown = n.repeats_unknown OR $7::boolean`;
export const claimWhere = 'n.id = due.id AND (NOT due.doubtful OR due.attempt_id = $6::uuid)';

/** What `due` has for `claimedOf`, of the notice `n`, and how it is read then, from `due LEFT JOIN claimed`. */
export const dueColumns = `n.id, n.attempt_id, n.gateway, n.state, n.updated_at, n.repeats_unknown, ${isDoubtful} AS doubtful`;
export const claimColumns = `claimed.id IS NOT NULL AS "isClaimed", due.attempt_id AS "doubtfulAttemptId",
  due.gateway AS "doubtfulGateway", due.state AS "doubtfulState", due.updated_at AS "doubtfulSince",
  due.repeats_unknown AS "repeatsUnknown"`;

export interface ClaimRow {
  readonly isClaimed: boolean;
  readonly doubtfulAttemptId: string;
  readonly doubtfulGateway: string | null;
  readonly doubtfulState: 'sending' | 'unknown';
  readonly doubtfulSince: Date;
  readonly repeatsUnknown: boolean;
}

export function claimValues({ id, attemptId, smsGateway, emailGateway, at, asked }: Claim): unknown[] {
  const { attemptId: seen = null, repeatsUnknown = false } = asked ?? {};
  return [id, attemptId, smsGateway, emailGateway, at, seen, repeatsUnknown];
}

/** Null when there is nothing left to do: the notice was accepted, or is not there. */
export function claimedOf<Row extends ClaimRow>(row: Row | undefined): Claimed<Row> | null {
  if (row === undefined) return null;
  if (row.isClaimed) return { claimed: row };
  const { doubtfulAttemptId, doubtfulGateway, doubtfulState, doubtfulSince, repeatsUnknown } = row;
  const doubt = { attemptId: doubtfulAttemptId, gateway: doubtfulGateway, state: doubtfulState };
  return { doubt: { ...doubt, since: doubtfulSince, repeatsUnknown } };
}

export interface AttemptRecord {
  readonly state: 'accepted' | 'failed' | 'unknown';
  readonly reason: string | null;
  /** For people. */
  readonly detail: string | null;
  readonly gatewayId: string | null;
  /** The gateway of a list that it speaks of; without it, what the claim wrote stays. */
  readonly gateway?: string | null;
  /** How many segments the SMS has, as we count them. */
  readonly segments?: number | null;
  /** The gateway's ids of them, where its reports name these. */
  readonly segmentIds?: readonly string[] | undefined;
}

const segmentsOf = (table: NoticeTable) =>
  acceptedSegments({
    gateway: `coalesce($8::text, (SELECT gateway FROM ${table} WHERE id = $1))`,
    keys: '$10::text[]',
    reference: '$2::uuid',
  });
const recordText = (table: NoticeTable, verdict: string) => `WITH ${verdict}
  UPDATE ${table} AS n SET state = coalesce(verdict.state, $3), reason = $4, detail = coalesce(verdict.detail, $5), gateway_id = $6,
    updated_at = $7, gateway = coalesce($8::text, n.gateway), segments = coalesce($9::integer, n.segments)
  FROM verdict WHERE n.id = $1 AND n.attempt_id = $2 AND n.state IN ('sending', 'unknown')
  RETURNING n.id`;
const recordTexts = {
  notification: recordText('notification', noSegments),
  answer_notice: recordText('answer_notice', noSegments),
};
const recordSegmentsTexts = {
  notification: recordText('notification', segmentsOf('notification')),
  answer_notice: recordText('answer_notice', segmentsOf('answer_notice')),
};

/**
 * Records the outcome of an attempt. False when it does not count any more: another attempt has begun since, or a report
 * came first.
 */
export async function recordAttempt(
  db: Queryable,
  table: NoticeTable,
  claim: Pick<Claim, 'id' | 'attemptId'>,
  record: AttemptRecord,
  at: Date,
): Promise<boolean> {
  const { id, attemptId } = claim;
  const { state, reason, detail, gatewayId, gateway = null, segments = null } = record;
  const keys = segmentKeys(record.segmentIds);
  const values = [id, attemptId, state, reason, detail, gatewayId, at, gateway, segments];
  const rows =
    keys.length > 0
      ? await db.query(recordSegmentsTexts[table], [...values, keys])
      : await db.query(recordTexts[table], values);
  if (rows.length > 0) return true;
  if (segments !== null) {
    // Reports of some segments were here before, and did not know how many there are.
    await db.query(countTexts[table], [id, attemptId, segments]);
    await reportNotice(db, { reference: attemptId, gateway: null, whole: null }, at);
  }
  return false;
}

const countText = (table: NoticeTable) =>
  `UPDATE ${table} SET segments = $3 WHERE id = $1 AND attempt_id = $2 AND segments IS NULL`;
const countTexts = { notification: countText('notification'), answer_notice: countText('answer_notice') };

/**
 * Takes an attempt back of which no gateway was asked: the notice waits as before, with the attempt in doubt that it would
 * have followed. False when it does not count any more. `at` is business time.
 */
export async function releaseAttempt(
  db: Queryable,
  table: NoticeTable,
  { id, attemptId }: Pick<Claim, 'id' | 'attemptId'>,
  { doubt, detail, at }: { readonly doubt: Doubt | null; readonly detail: string; readonly at: Date },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE ${table} SET attempts = attempts - 1, attempt_id = $3, gateway = $4, detail = $5, updated_at = $6,
       repeats_unknown = CASE WHEN $3::uuid IS NULL THEN repeats_unknown ELSE $7 END,
       state = CASE WHEN $3::uuid IS NULL THEN 'pending' ELSE 'unknown' END,
       reason = CASE WHEN $3::uuid IS NULL THEN 'gatewayUnavailable' ELSE 'unknownOutcome' END
     WHERE id = $1 AND attempt_id = $2 AND state = 'sending' RETURNING id`,
    [
      id,
      attemptId,
      doubt?.attemptId,
      doubt?.gateway,
      detail,
      doubt?.since ?? at,
      doubt?.repeatsUnknown ?? false,
    ],
  );
  return rows.length > 0;
}

/** The notice whose latest attempt has this reference of ours, and its table; null when there is none. */
export async function noticeOf(
  db: Queryable,
  reference: string,
): Promise<{ readonly id: string; readonly table: NoticeTable } | null> {
  const [row] = await db.query<{ id: string; table: NoticeTable }>(
    `SELECT id, 'notification' AS "table" FROM notification WHERE attempt_id = $1
     UNION ALL SELECT id, 'answer_notice' FROM answer_notice WHERE attempt_id = $1`,
    [reference],
  );
  return row ?? null;
}

export interface ReportedNotice {
  /** Our reference of the attempt. */
  readonly reference: string;
  /** Which gateway reported; null: the one that its row names. */
  readonly gateway: string | null;
  /** What became of the whole SMS; null: what its segments come to by now. */
  readonly whole: Pick<DeliveryReport, 'state' | 'detail'> | null;
}

/** An SQL expression: what the row of the notice with this reference names. */
const gatewayOf = (reference: string) =>
  `(SELECT gateway FROM notification WHERE attempt_id = ${reference} UNION ALL SELECT gateway FROM answer_notice WHERE attempt_id = ${reference} LIMIT 1)`;

/** The state is reckoned on the row itself, so that one who had to wait for it reckons with what the other has written. */
function reportedText(table: NoticeTable, verdict: string): string {
  const state = stateBy('v', 'n.segments');
  return `UPDATE ${table} AS n SET state = ${state}, reason = NULL, detail = v.detail, updated_at = $2,
      gateway = CASE n.state WHEN 'accepted' THEN n.gateway ELSE coalesce($3, n.gateway) END
    FROM ${verdict} AS v WHERE n.attempt_id = $1 AND n.channel = 'sms' AND ($3::text IS NULL OR ${tookIt('$3', 'n.gateway')})
     AND (n.state IN ('sending', 'unknown') AND ${state} IS NOT NULL OR n.state = 'accepted' AND ${state} <> 'accepted')
    RETURNING n.id`;
}

/**
 * Records what a carrier reported of a notice's SMS. It may come before the acceptance was recorded; none changes a final
 * state, nor what another gateway took. False when it changes nothing. `at` is business time.
 */
export async function reportNotice(
  db: Queryable,
  { reference, gateway, whole }: ReportedNotice,
  at: Date,
): Promise<boolean> {
  const verdict = whole === null ? ofSegments('$1', `coalesce($3, ${gatewayOf('$1')})`) : ofWhole(whole, 4);
  const rows = await db.query(
    `WITH verdict AS (${verdict.sql}),
     of_answers AS (${reportedText('answer_notice', 'verdict')}),
     of_bookings AS (${reportedText('notification', 'verdict')})
     SELECT id FROM of_answers UNION ALL SELECT id FROM of_bookings`,
    [reference, at, gateway, ...verdict.values],
  );
  return rows.length > 0;
}
