/** SQL of customers' long SMS while their parts come (table `long_sms`). Times are the machine clock's. */
import type { Queryable } from '#db/database.ts';
import type { Charset } from '#gateways/sms/charset.ts';
import type { InboundPart } from '#gateways/sms/gateway.ts';

/** After this time since its first part a message is recorded with the parts at hand. */
const waitsSeconds = 120;
/** A message that could not be recorded is tried again after this time. */
const triedAgainSeconds = 30;
/** A part of a recorded message is a repeat for so long, and not the first of a new message. */
const repeatedWithinSeconds = 600;
/** What can't be recorded in this time is given up. */
const givenUpAfter = `interval '1 day'`;

export interface LongSms {
  readonly id: string;
  readonly gateway: string;
  readonly sender: string;
  readonly recipient: string;
  /** UTF-16LE, decoded part by part; null: the part has not come. Processes of the version before know only these. */
  readonly texts: readonly (Buffer | null)[];
  /** The parts as they came, and their charsets; null where a process of the version before took the part. */
  readonly octets: readonly (Buffer | null)[] | null;
  readonly charsets: readonly (Charset | null)[] | null;
  readonly state: 'open' | 'closed' | 'recorded';
}

const columns = ['id', 'gateway', 'sender', 'recipient', 'texts', 'octets', 'charsets', 'state']
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
    `INSERT INTO long_sms AS l (id, gateway, sender, recipient, series, total, texts, begun_at, due_at)
     VALUES ($1, $2, $3, $4, $5, $6::int, array_fill(NULL::bytea, ARRAY[$6::int]), clock_timestamp(), clock_timestamp() + interval '${waitsSeconds} seconds')
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

/** What is stored of a part. */
export interface StoredPart extends Pick<InboundPart, 'number' | 'octets' | 'charset'> {
  /** UTF-16LE. */
  readonly text: Buffer;
}

/** An SQL expression: the array of a column with `value` in the place of the part, of which $2 is the number. */
function withPart(column: string, value: string, type: string): string {
  const all = `coalesce(l.${column}, array_fill(NULL::${type}, ARRAY[l.total::int]))`;
  return `(${all})[:$2::int - 1] || ARRAY[${value}::${type}] || (${all})[$2::int + 1:]`;
}

/** Adds a part to a held message. With the last of them the message is closed. */
export async function addPart(
  tx: Queryable,
  id: string,
  { number, text, octets, charset }: StoredPart,
): Promise<LongSms> {
  const [row] = await tx.query<LongSms>(
    `UPDATE long_sms AS l
        SET texts = next.texts, octets = next.octets, charsets = next.charsets,
            state = CASE WHEN next.is_whole THEN 'closed' ELSE l.state END,
            due_at = CASE WHEN next.is_whole THEN clock_timestamp() + interval '${triedAgainSeconds} seconds' ELSE l.due_at END
       FROM (SELECT its.*, array_position(texts, NULL::bytea) IS NULL AS is_whole
               FROM (SELECT ${withPart('texts', '$3', 'bytea')} AS texts, ${withPart('octets', '$4', 'bytea')} AS octets,
                            ${withPart('charsets', '$5', 'text')} AS charsets
                       FROM long_sms AS l WHERE id = $1) AS its) AS next
      WHERE l.id = $1
     RETURNING ${columns}`,
    [id, number, text, octets, charset],
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

/** Takes up to `limit` messages that are to be recorded as they are. They take no further part. */
export async function takeDue(db: Queryable, limit: number): Promise<LongSms[]> {
  return db.query<LongSms>(
    `UPDATE long_sms AS l SET state = 'closed', due_at = clock_timestamp() + interval '${triedAgainSeconds} seconds'
      WHERE id IN (
        SELECT id FROM long_sms WHERE due_at <= clock_timestamp() AND state <> 'recorded' AND begun_at > clock_timestamp() - ${givenUpAfter}
         ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [limit],
  );
}

/** Deletes up to `limit` messages: recorded ones when their repeats are over, and those that are given up. Returns how many, and how many of these were given up. */
export async function deleteDone(
  db: Queryable,
  limit: number,
): Promise<{ readonly deleted: number; readonly givenUp: number }> {
  const [row] = await db.query<{ deleted: number; givenUp: number }>(
    `WITH gone AS (
       DELETE FROM long_sms WHERE id IN (
         SELECT id FROM long_sms WHERE due_at <= clock_timestamp() AND (state = 'recorded' OR begun_at <= clock_timestamp() - ${givenUpAfter})
          ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING state)
     SELECT count(*)::int AS deleted, (count(*) FILTER (WHERE state <> 'recorded'))::int AS "givenUp" FROM gone`,
    [limit],
  );
  return row ?? { deleted: 0, givenUp: 0 };
}
