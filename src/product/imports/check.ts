/** The dry run of a file: what its rows would create, and every fault. It writes nothing. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { countThere, type SoughtBooking } from '#product/bookings/imported/store.ts';
import { knownCars } from '#product/customers/imported/cars/store.ts';
import type { Workshop } from '#product/workshops/store.ts';
import type { ImportKind } from './columns.ts';
import { type Counts, noCounts, sumOf } from './counts.ts';
import type { DateOrder } from './days.ts';
import { type GoodRow, importContextOf, type RowSet, rowSets } from './entries.ts';
import { freshRows, type Taken } from './fresh.ts';
import type { Matched } from './matched/match.ts';
import { Notes } from './notes.ts';
import { type Question, type QuestionKind, Questions } from './questions.ts';
import { type LeftOut, openTable, type Row, type RowFault } from './rows.ts';
import type { Encoding, Source } from './source.ts';

export interface Check {
  readonly kind: ImportKind;
  readonly source: Source;
  readonly order: DateOrder | null;
  /** The questions that somebody has answered. */
  readonly accepted?: readonly QuestionKind[] | undefined;
  /** The field that a person has chosen for each column; null, or absent: the headings say it. */
  readonly matched?: Matched | null;
  /** Columns that are not read are asked about although some were chosen: only those were named. */
  readonly asksUnread?: boolean;
}

export interface Checked {
  readonly counts: Counts;
  /** Columns of the file that are not read. */
  readonly ignored: readonly string[];
  readonly encoding: Encoding;
  /** The number of faults; a row may have several. */
  readonly faults: number;
  /** Nothing is imported before each is answered. Absent in what an earlier release has stored. */
  readonly questions?: readonly Question[];
  readonly accepted?: readonly QuestionKind[];
  /** Notes on values that are read in another way than they stand, and on values that are left out. */
  readonly notes?: readonly string[];
}

export interface CheckNotes {
  /** Called with the faults of each set, in the order of the file. */
  faults(of: readonly RowFault[]): void;
  progress(rows: number): void;
}

/** Throws OperatorError when the file can't be read at all, or has no row. */
export async function checkFile(
  { db, clock }: { readonly db: Database; readonly clock: Pick<Clock, 'now'> },
  workshop: Workshop,
  { kind, source, order, accepted = [], matched = null, asksUnread = matched === null }: Check,
  notes: CheckNotes,
): Promise<Checked> {
  const table = await openTable(kind, source, matched);
  const context = await importContextOf(db, workshop, { kind, order, accepted, now: clock.now() });
  const { columns } = table;
  const questions = new Questions({
    ...{ kind, columns, country: workshop.country, now: context.now },
    ...{ isMatched: !asksUnread, accepted },
  });
  const said = new Notes(table, workshop.country);
  const along = {
    row: (row: Row) => questions.row(row),
    leftOut: (line: LeftOut) => said.leftOut(line),
  };
  const seen = new Seen();
  let [counts, faults] = [noCounts, 0];
  for await (const set of rowSets(table, workshop.workshopId, context, 0, along)) {
    for (const row of set.good) said.row(row);
    const { counts: its, fresh } = await countSet(db, workshop.workshopId, set, seen);
    counts = sumOf(counts, its);
    questions.alreadyHere(await countThere(db, workshop.workshopId, fresh.flatMap(soughtOf)));
    faults += set.faults.length;
    notes.faults(set.faults);
    notes.progress(set.rows);
  }
  return {
    ...{ counts, faults, ignored: columns.ignored, encoding: table.encoding },
    ...{ questions: questions.asked(), accepted, notes: said.all() },
  };
}

/** The customers and cars that earlier rows of the file would create. */
class Seen implements Taken {
  readonly phones = new Set<string>();
  readonly customers = new Set<string>();
  /** `+61400000001 ABC123` */
  readonly cars = new Set<string>();
}

const soughtOf = ({ booking, customer: { phone, name }, car }: GoodRow): SoughtBooking[] =>
  booking === null ? [] : [{ date: booking.date, phone, name, rego: car?.rego ?? null }];

/** The counts that `writeSet` would return, and the rows that it would import. */
async function countSet(db: Database, workshopId: string, set: RowSet, seen: Seen) {
  const { rows, faulty } = set;
  const { fresh, leftAlone, claims } = await freshRows(db, workshopId, set, seen);
  for (const { phone, regos } of claims)
    for (const rego of regos) if (rego !== null) seen.cars.add(`${phone} ${rego}`);
  const phones = fresh.flatMap(({ customer: { phone } }) => phone ?? []);
  for (const { phone, rego } of await knownCars(db, workshopId, [...new Set(phones)])) {
    seen.phones.add(phone);
    if (rego !== null) seen.cars.add(`${phone} ${rego}`);
  }
  const isNew = (of: Set<string>, name: string | null) => {
    if (name !== null && of.has(name)) return false;
    if (name !== null) of.add(name);
    return true;
  };
  const customersMade = fresh.filter(({ customer: { phone } }) => isNew(seen.phones, phone)).length;
  const carsMade = fresh.filter(({ car, customer: { phone } }) => {
    const rego = car?.rego ?? null;
    return car !== null && isNew(seen.cars, phone === null || rego === null ? null : `${phone} ${rego}`);
  }).length;
  const counts: Counts = {
    ...{ rows, faulty, leftAlone, customersMade, carsMade },
    customersJoined: fresh.length - customersMade,
    bookingsMade: fresh.filter(({ booking }) => booking !== null).length,
  };
  return { counts, fresh };
}
