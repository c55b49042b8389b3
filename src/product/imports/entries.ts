/** The rows of a file as entries to create, in sets; with the faults of invalid rows. */
import { givingWay } from '#base/give-way.ts';
import type { Queryable } from '#platform/db/database.ts';
import { readOffer } from '#product/catalogue/offer.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { Identities } from './identity.ts';
import { type Entry, type ImportContext, judge } from './judge.ts';
import type { QuestionKind } from './questions.ts';
import type { LeftOut, Row, RowFault, Table } from './rows.ts';

/** For one statement and one commit. */
export const rowsAtOnce = 300;

export interface GoodRow extends Entry {
  readonly line: number;
  /** SHA-256 of its identity, in hex. */
  readonly identity: string;
  /** The SHA-256, in hex, of the values that tell a row of a customer in a file without numbers too. */
  readonly person: string | null;
}

export interface RowSet {
  /** All rows, including faulty ones. */
  readonly rows: number;
  readonly good: readonly GoodRow[];
  readonly faults: readonly RowFault[];
  /** The number of faulty rows. */
  readonly faulty: number;
  /** The file has no column of phone numbers. */
  readonly lacksPhones: boolean;
}

/** Called with the rows of a file as they are read. */
export interface Along {
  row(row: Row): void;
  leftOut(line: LeftOut): void;
}

export async function importContextOf(
  db: Queryable,
  { workshopId, timezone, country }: Workshop,
  of: Pick<ImportContext, 'kind' | 'order' | 'now'> & {
    readonly accepted?: readonly QuestionKind[] | undefined;
  },
): Promise<ImportContext> {
  const { kind, order, now, accepted = [] } = of;
  const offer = kind === 'bookings' ? await readOffer(db, workshopId) : null;
  return { kind, order, now, timezone, country, offer, shortYears: accepted.includes('short-years') };
}

/** `after`: this many rows of the file are skipped. The event loop gets a turn in between. */
export async function* rowSets(
  table: Table,
  workshopId: string,
  context: ImportContext,
  after = 0,
  along?: Along,
): AsyncGenerator<RowSet> {
  const identities = new Identities(workshopId, context.kind);
  const lacksPhones = !table.columns.at.has('phone');
  let passed = 0;
  let set = emptySet(lacksPhones);
  const giveWay = givingWay();
  for await (const row of table.rows()) {
    await giveWay();
    if ('leftOut' in row) {
      along?.leftOut(row);
      continue;
    }
    const identity = 'cells' in row ? identities.next(row) : null;
    const person = 'cells' in row ? identities.person(row) : null;
    if (passed++ < after) continue;
    set.rows++;
    if ('cells' in row) along?.row(row);
    const judged = 'cells' in row ? await judge(row, table.columns, context) : row;
    const faults = [
      ...('faults' in judged ? judged.faults : []),
      ...('cells' in row && identity === null ? [repeated(row.line, table)] : []),
    ];
    if ('customer' in judged && faults.length === 0 && identity !== null)
      set.good.push({ ...judged, line: row.line, identity, person });
    else {
      set.faulty++;
      set.faults.push(...faults);
    }
    if (set.rows < rowsAtOnce) continue;
    yield set;
    set = emptySet(lacksPhones);
  }
  if (set.rows > 0) yield set;
}

const emptySet = (lacksPhones: boolean) => ({
  ...{ rows: 0, faulty: 0, good: [] as GoodRow[], faults: [] as RowFault[], lacksPhones },
});

function repeated(line: number, { columns }: Table): RowFault {
  const column = columns.headings[columns.at.get('reference') ?? -1] ?? '';
  return { line, column, message: 'stands in an earlier row too' };
}
