/** SQL of customers' long SMS while their parts come (table `long_sms`). Times are the machine clock's. */
import type { Queryable } from '#platform/db/database.ts';
import type { Charset } from '#platform/gateways/sms/charset.ts';
import type { InboundPart } from '#platform/gateways/sms/gateway.ts';
import { notFailed } from '#platform/work/failed/store.ts';

/** After this time since its first part a message is recorded with the parts at hand. */
const waitsSeconds = 120;
/** A message that could not be recorded is tried again after this time. */
const triedAgainSeconds = 30;
/** A part of a recorded message is a repeat for so long, and not the first of a new message. */
const repeatedWithinSeconds = 600;

export interface LongSms {
  readonly id: string;
  readonly gateway: string;
  readonly sender: string;
  readonly recipient: string;
  /** The octets of each part as they came; null: it has not come. */
  readonly parts: readonly (Buffer | null)[];
  /** Of the parts, in their order. */
  readonly charsets: readonly (Charset | null)[];
  readonly state: 'open' | 'closed' | 'recorded';
}

const columns = ['id', 'gateway', 'sender', 'recipient', 'parts', 'charsets', 'state']
  .map((name) => `l.${name}`)
  .join(', ');

/** The message that the part is of as its series has it now, made under `newId` when there is none; held until the transaction ends. */
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

/** Of a held message whose series has begun anew: it takes no further part, and is recorded as it is. */
export async function endSeries(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `UPDATE long_sms SET is_current = false, state = CASE state WHEN 'open' THEN 'closed' ELSE state END,
            due_at = CASE state WHEN 'open' THEN clock_timestamp() ELSE due_at END WHERE id = $1`,
    [id],
  );
}

/** An SQL expression: the array of a column with `value` in the place of the part, of which $2 is the number. */
const withPart = (column: string, value: string) =>
  `${column}[:$2::int - 1] || ARRAY[${value}] || ${column}[$2::int + 1:] AS ${column}`;

/** Adds a part to a held message. With the last of them the message is closed. */
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

/** It is recorded: its parts are kept for a while, to know repeats by. */
export async function markRecorded(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE long_sms SET state = 'recorded', due_at = clock_timestamp() + interval '${repeatedWithinSeconds} seconds' WHERE id = $1`,
    [id],
  );
}

/** The ids of up to `limit` messages that are to be recorded as they are and have not failed in this job. */
export async function findDue(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM long_sms WHERE due_at <= clock_timestamp() AND state <> 'recorded' AND ${notFailed(job, 'id')}
      ORDER BY due_at LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes those of these messages that are not recorded yet and that nobody holds. They take no further part. */
export async function takeDue(db: Queryable, ids: readonly string[]): Promise<LongSms[]> {
  return db.query<LongSms>(
    `UPDATE long_sms AS l SET state = 'closed', due_at = clock_timestamp() + interval '${triedAgainSeconds} seconds'
      WHERE id IN (SELECT id FROM long_sms WHERE id = ANY ($1::uuid[]) AND state <> 'recorded' FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [ids],
  );
}

/** Deletes up to `limit` recorded messages whose repeats are over. Returns how many. */
export async function deleteRecorded(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(
    `DELETE FROM long_sms WHERE id IN (
       SELECT id FROM long_sms WHERE due_at <= clock_timestamp() AND state = 'recorded' ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING true`,
    [limit],
  );
  return rows.length;
}

/** The operator gives up a message that can't be recorded. */
export async function deleteLong(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM long_sms WHERE id = $1', [id]);
}
