/** SQL of customers' long SMS while their parts arrive (table `long_sms`). Times are the machine clock's. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import type { Charset } from '#platform/gateways/sms/charset.ts';
import type { InboundPart } from '#platform/gateways/sms/gateway.ts';
import { notFailed } from '#platform/work/failed/store.ts';

/** This long after its first part a message is recorded with the parts received. */
const waitsSeconds = 120;
/** A message that could not be recorded is retried after this time. */
const triedAgainSeconds = 30;
/** For this long a part of a recorded message counts as a repeat; later it begins a new message. */
const repeatedWithinSeconds = 600;

export interface LongSms {
  readonly id: string;
  readonly gateway: string;
  readonly sender: string;
  readonly recipient: string;
  /** The octets of each part as received; null: missing. */
  readonly parts: readonly (Buffer | null)[];
  /** The character set of each part, in order. */
  readonly charsets: readonly (Charset | null)[];
  readonly state: 'open' | 'closed' | 'recorded';
}

const columns = ['id', 'gateway', 'sender', 'recipient', 'parts', 'charsets', 'state']
  .map((name) => `l.${name}`)
  .join(', ');

/**
 * The current message of the part's series, created with `newId` when there is none. Its row stays locked until the transaction
 * ends.
 */
export async function holdCurrent(
  tx: Queryable,
  gateway: string,
  { from, to, series, total }: InboundPart,
  newId: string,
): Promise<LongSms> {
  const [row] = await tx.query<LongSms>(
    `INSERT INTO long_sms AS l (id, gateway, sender, recipient, series, total, parts, charsets, begun_at, due_at)
     VALUES ($1, $2, $3, $4, $5, $6::int, array_fill(NULL::bytea, ARRAY[$6::int]), array_fill(NULL::text, ARRAY[$6::int]),
       clock_timestamp(), clock_timestamp() + interval '${waitsSeconds} seconds')
     ON CONFLICT (gateway, sender, recipient, series, total) WHERE is_current DO UPDATE SET series = excluded.series
     RETURNING ${columns}`,
    [newId, gateway, from, to, series, total],
  );
  if (row === undefined) throw new Error('a long SMS was neither found nor made');
  return row;
}

/** Closes a locked message because its series has started over: it takes no further part, and is recorded as it is. */
export async function endSeries(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `UPDATE long_sms SET is_current = false, state = CASE state WHEN 'open' THEN 'closed' ELSE state END,
            due_at = CASE state WHEN 'open' THEN clock_timestamp() ELSE due_at END WHERE id = $1`,
    [id],
  );
}

/** An SQL expression: the array of a column with `value` at the position of the part ($2). */
const withPart = (column: string, value: string) =>
  `${column}[:$2::int - 1] || ARRAY[${value}] || ${column}[$2::int + 1:] AS ${column}`;

/** Adds a part to a locked message. The last missing part closes the message. */
export async function addPart(
  tx: Queryable,
  id: string,
  { number, octets, charset }: InboundPart,
): Promise<LongSms> {
  const [row] = await tx.query<LongSms>(
    `UPDATE long_sms AS l
        SET parts = next.parts, charsets = next.charsets,
            state = CASE WHEN next.is_whole THEN 'closed' ELSE l.state END,
            due_at = CASE WHEN next.is_whole THEN clock_timestamp() + interval '${triedAgainSeconds} seconds' ELSE l.due_at END
       FROM (SELECT its.*, array_position(parts, NULL::bytea) IS NULL AS is_whole
               FROM (SELECT ${withPart('parts', '$3::bytea')}, ${withPart('charsets', '$4::text')} 
                       FROM long_sms WHERE id = $1) AS its) AS next
      WHERE l.id = $1
     RETURNING ${columns}`,
    [id, number, octets, charset],
  );
  if (row === undefined) throw new Error('a held long SMS is not there');
  return row;
}

/** Marks it as recorded. Its parts are kept for a while to recognise repeats. */
export async function markRecorded(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE long_sms SET state = 'recorded', due_at = clock_timestamp() + interval '${repeatedWithinSeconds} seconds' WHERE id = $1`,
    [id],
  );
}

/** The ids of up to `limit` messages that are due to be recorded and have not failed in this job. */
export async function findDue(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    planOnce(`SELECT id FROM long_sms WHERE due_at <= (SELECT clock_timestamp()) AND state <> 'recorded' AND ${notFailed(job, 'id')}
      ORDER BY due_at LIMIT $1`),
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Closes those of these messages that are not recorded yet and not locked by another process, and returns them. They take no
 * further part.
 */
export async function takeDue(db: Queryable, ids: readonly string[]): Promise<LongSms[]> {
  return db.query<LongSms>(
    `UPDATE long_sms AS l SET state = 'closed', due_at = clock_timestamp() + interval '${triedAgainSeconds} seconds'
      WHERE id IN (SELECT id FROM long_sms WHERE id = ANY ($1::uuid[]) AND state <> 'recorded' FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [ids],
  );
}

/** Deletes up to `limit` recorded messages whose time for repeats is over. Returns how many. */
export async function deleteRecorded(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(
    planOnce(`DELETE FROM long_sms WHERE id IN (
       SELECT id FROM long_sms WHERE due_at <= (SELECT clock_timestamp()) AND state = 'recorded'
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING true`),
    [limit],
  );
  return rows.length;
}

/** Deletes a message that can't be recorded, when the operator gives it up. */
export async function deleteLong(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM long_sms WHERE id = $1', [id]);
}
