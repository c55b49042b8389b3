/** SQL of an erasure: the records of a person. Rows stay; their personal data is overwritten. */
import type { Queryable } from '#platform/db/database.ts';
import { countedAt } from '../change.ts';
import type { AnyRecord, ErasedPerson } from '../record.ts';

export interface Person {
  readonly workshopId: string;
  readonly customerId: string;
  /** E.164. */
  readonly phones: readonly string[];
}

const expressions: ErasedPerson = { workshopId: '$1::uuid', customerId: '$2::uuid', phones: '$3::text[]' };
/** A CTE that names each parameter with its type, also those that a record does not use. */
const given = 'WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[])';
const valuesOf = ({ workshopId, customerId, phones }: Person) => [workshopId, customerId, phones];

/** Locks the person's rows until the transaction ends, since each change of one would write an event; returns the phones in them, E.164. */
export async function holdRecords(
  tx: Queryable,
  { table, erasure: { phone, rows } }: AnyRecord,
  of: Person,
): Promise<string[]> {
  const held = await tx.query<{ phone: string | null }>(
    `${given} SELECT ${phone} AS phone FROM ${table} WHERE ${rows(expressions)} ORDER BY id FOR NO KEY UPDATE`,
    valuesOf(of),
  );
  return held.flatMap((row) => row.phone || []);
}

/** Overwrites the person's rows, and returns their ids: each is a change, so a partner's `If-Match` from before does not match. */
export async function eraseRecords(
  tx: Queryable,
  { table, erasure: { rows, set } }: AnyRecord,
  of: Person,
  at: Date,
): Promise<string[]> {
  const columns = Object.entries(set(expressions)).map(([column, value]) => `${column} = ${value}`);
  const erased = await tx.query<{ id: string }>(
    `${given} UPDATE ${table} AS r SET ${columns.join(', ')}, ${countedAt('$4')}
      WHERE ${rows(expressions)} RETURNING id`,
    [...valuesOf(of), at],
  );
  return erased.map(({ id }) => id);
}
