/** SQL that reads a section of an export, a page at a time. */
import type { Queryable } from '#platform/db/database.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import type { CustomerRows } from '#product/customers/merged/store.ts';
import type { Section } from './sections/section.ts';

/** A row, by the names of its columns in camelCase. */
export type Row = Readonly<Record<string, unknown>>;

export interface Page {
  readonly rows: readonly Row[];
  /** The key after which the next page begins; null: this is the last. */
  readonly next: readonly string[] | null;
}

const usualKey = [['id', 'uuid']] as const;
const usualSize = 500;
const lowest = { uuid: `'${lowestId}'`, text: `''` } as const;

/** The rows after `after`, which the page before has told; null: the first page. */
export async function readPage(
  db: Queryable,
  section: Section,
  { workshopId, ids, phones }: CustomerRows,
  after: readonly string[] | null,
): Promise<Page> {
  const { table, whose, columns, made = {}, key = usualKey, pageSize = usualSize } = section;
  const keys = key.map(([column]) => `t.${column}`);
  const bounds = key.map(([, type], n) => `coalesce($${n + 5}::${type}, ${lowest[type]})`);
  const shown = [
    ...columns.map((column) => `t."${column}"`),
    ...Object.entries(made).map(([name, sql]) => `${sql} AS ${name}`),
    `ARRAY[${keys.map((column) => `${column}::text`)}] AS position`,
  ];
  // Named in the first lines, so that each parameter has a type also where a section has no use for it.
  const text = planEachTime(`WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
     SELECT ${shown.join(', ')} FROM ${table} t
      WHERE ${whose} AND (${keys}) > (${bounds}) ORDER BY ${keys} LIMIT $4`);
  const values = [workshopId, ids, phones, pageSize, ...key.map((_, n) => after?.[n] ?? null)];
  const found = await db.query<Row & { position: readonly string[] }>(text, values);
  const rows = found.map(({ position: _, ...row }) => row);
  return { rows, next: found.length < pageSize ? null : (found.at(-1)?.position ?? null) };
}
