/** The rows of a file as entries to create, in sets; with the faults of invalid rows. */
import { givingWay } from '#base/give-way.ts';
import type { Queryable } from '#platform/db/database.ts';
import { readOffer } from '#product/catalogue/offer.ts';
import type { Workshop } from '#product/workshops/store.ts';
import type { ImportKind } from './columns.ts';
import { Identities } from './identity.ts';
import { type Entry, type Ground, judge } from './judge.ts';
import type { RowFault, Table } from './rows.ts';
import type { DateOrder } from './when.ts';

/** For one statement and one commit. */
export const rowsAtOnce = 300;

export interface GoodRow extends Entry {
  /** SHA-256 of its identity, in hex. */
  readonly identity: string;
}

export interface RowSet {
  /** All rows, including faulty ones. */
  readonly rows: number;
  readonly good: readonly GoodRow[];
  readonly faults: readonly RowFault[];
  /** The number of faulty rows. */
  readonly faulty: number;
}

export async function groundOf(
  db: Queryable,
  { workshopId, timezone, country }: Workshop,
  of: { readonly kind: ImportKind; readonly order: DateOrder | null; readonly now: Date },
): Promise<Ground> {
  const offer = of.kind === 'bookings' ? await readOffer(db, workshopId) : null;
  return { ...of, timezone, country, offer };
}

/** `after`: this many rows of the file are skipped. The event loop gets a turn in between. */
export async function* rowSets(
  table: Table,
  workshopId: string,
  ground: Ground,
  after = 0,
): AsyncGenerator<RowSet> {
  const identities = new Identities(workshopId, ground.kind);
  let passed = 0;
  let set = emptySet();
  const giveWay = givingWay();
  for await (const row of table.rows()) {
    await giveWay();
    const identity = 'cells' in row ? identities.next(row) : null;
    if (passed++ < after) continue;
    set.rows++;
    const judged = 'cells' in row ? await judge(row, table.columns, ground) : row;
    const faults = [
      ...('faults' in judged ? judged.faults : []),
      ...('cells' in row && identity === null ? [repeated(row.line, table)] : []),
    ];
    if ('customer' in judged && faults.length === 0 && identity !== null)
      set.good.push({ ...judged, identity });
    else {
      set.faulty++;
      set.faults.push(...faults);
    }
    if (set.rows < rowsAtOnce) continue;
    yield set;
    set = emptySet();
  }
  if (set.rows > 0) yield set;
}

const emptySet = () => ({ rows: 0, faulty: 0, good: [] as GoodRow[], faults: [] as RowFault[] });

function repeated(line: number, { columns }: Table): RowFault {
  const column = columns.headings[columns.at.get('reference') ?? -1] ?? '';
  return { line, column, message: 'stands in an earlier row too' };
}
