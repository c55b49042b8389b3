/** Creates the records of a set of rows, in one transaction. No event is recorded: nothing is sent, and no partner is notified. */

import { found, OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newBookingCode } from '#base/values/code.ts';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { noPlace, type PlaceColumns, placeFor } from '#product/availability/places/place.ts';
import { freshRules, type KnownRules } from '#product/availability/places/rules.ts';
import { type ImportedBookingRow, insertImported, markNotCome } from '#product/bookings/imported/store.ts';
import { needOf } from '#product/bookings/place.ts';
import { newServices } from '#product/bookings/services.ts';
import { type CarRow, type FoundCar, fillCars, importCars } from '#product/customers/imported/cars/store.ts';
import {
  type CustomerRow,
  type FoundCustomer,
  fillCustomers,
  givePhones,
  type ImportedCustomer,
  importCustomers,
  lockStored,
  type StoredCustomer,
} from '#product/customers/imported/store.ts';
import { keepSearchedNow } from '#product/customers/search/keep.ts';
import { lockWorkshop } from '#product/workshops/store.ts';
import { type Counts, noCounts } from './counts.ts';
import type { GoodRow, RowSet } from './entries.ts';
import { freshRows } from './fresh.ts';
import { noteImported } from './store.ts';
import { type Change, filledCars, filledCustomers, made, type RunOfSet } from './take-back/changes.ts';
import { noteChanges } from './take-back/noted/store.ts';
import { noteRun } from './take-back/run/store.ts';

/** The reason for booking imported rows against the rules. */
export const importedReason = 'Imported';

/**
 * Locks the workshop's row: the sets of one workshop are written one after the other, under unchanged rules. What is made and changed is
 * noted, so that it can be taken back. Throws OperatorError when the import is being taken back.
 */
export async function writeSet(tx: Queryable, run: RunOfSet, set: RowSet, at: Date): Promise<Counts> {
  const { workshopId } = run;
  const { rows, faulty } = set;
  found('workshop', workshopId, await lockWorkshop(tx, workshopId));
  if (!(await noteRun(tx, { ...run, rows, at })))
    throw new OperatorError('the import is being taken back: nothing more of it is imported');
  const { fresh, leftAlone, claims, unknown } = await freshRows(tx, workshopId, set);
  const counts = { ...noCounts, rows, faulty, leftAlone };
  if (fresh.length === 0) return counts;

  const unnumbered = await lockStored(
    tx,
    workshopId,
    claims.map(({ customerId }) => customerId),
  );
  await givePhones(tx, workshopId, claims, at);
  const customers = await writeCustomers(tx, workshopId, { rows: fresh, unnumbered }, at);
  const cars = await writeCars(tx, workshopId, customers.of, at);
  const bookings = await writeBookings(tx, workshopId, cars.of, at);
  await noteImported(
    tx,
    run,
    customers.of.flatMap(({ row, customerId }) =>
      unknown(row).map((identity) => ({ identity, recordId: bookings.get(row) ?? customerId })),
    ),
  );
  const ofBookings = [...bookings.values()].map((id) => made('booking', id, '1'));
  await noteChanges(tx, run.importId, [...customers.changes, ...cars.changes, ...ofBookings]);
  await keepSearchedNow(tx, [...new Set(customers.of.map(({ customerId }) => customerId))]);
  return {
    ...counts,
    customersMade: customers.made,
    customersJoined: fresh.length - customers.made,
    carsMade: cars.made,
    bookingsMade: bookings.size,
  };
}

interface OfCustomer {
  readonly row: GoodRow;
  readonly customerId: string;
}

interface OfRows {
  readonly rows: readonly GoodRow[];
  /** Customers as they were before they got a number of these rows. */
  readonly unnumbered: readonly StoredCustomer[];
}

async function writeCustomers(tx: Queryable, workshopId: string, { rows, unnumbered }: OfRows, at: Date) {
  const wanted = new Map<GoodRow, CustomerRow>();
  const byPhone = new Map<string, CustomerRow>();
  for (const row of rows) {
    const { phone } = row.customer;
    const earlier = phone === null ? undefined : byPhone.get(phone);
    const customer = { ...together(earlier, row.customer), id: earlier?.id ?? newId() };
    if (phone === null) wanted.set(row, customer);
    else byPhone.set(phone, customer);
  }
  const known = await importCustomers(tx, workshopId, [...wanted.values(), ...byPhone.values()], at);
  const ids = new Map(known.map(({ phone, id }) => [phone, id]));
  const of: OfCustomer[] = rows.map((row) => ({
    row,
    customerId: wanted.get(row)?.id ?? found('customer', '', ids.get(row.customer.phone ?? '') ?? null),
  }));
  const newIds = [...wanted.values(), ...known.filter(({ isMade }) => isMade)].map(({ id }) => id);
  const changes = [
    ...newIds.map((id) => made('customer', id, '1')),
    ...(await fillKnown(tx, workshopId, { known, unnumbered, byPhone }, at)),
  ];
  return { of, made: newIds.length, changes };
}

/** Fills what the known customers lack; of those that were merged the kept ones, who prefer a row with their own phone. */
async function fillKnown(
  tx: Queryable,
  workshopId: string,
  of: Pick<OfRows, 'unnumbered'> & {
    readonly known: readonly FoundCustomer[];
    readonly byPhone: ReadonlyMap<string, CustomerRow>;
  },
  at: Date,
): Promise<Change[]> {
  const wanted = new Map<string, CustomerRow>();
  const were = of.known.filter(({ isMade }) => !isMade);
  const ownFirst = were.toSorted((a, b) => Number(a.mergedInto !== null) - Number(b.mergedInto !== null));
  for (const { id: own, phone, mergedInto } of ownFirst) {
    const [id, said] = [mergedInto ?? own, of.byPhone.get(phone)];
    if (said !== undefined) wanted.set(id, { ...together(wanted.get(id), said), id });
  }
  const here = new Set(of.known.map(({ id }) => id));
  const others = [...wanted.keys()].filter((id) => !here.has(id));
  // The last row of one customer counts.
  const before = [...of.known, ...(await lockStored(tx, workshopId, others)), ...of.unnumbered];
  return filledCustomers(before, await fillCustomers(tx, workshopId, [...wanted.values()], at));
}

/** Combines several rows of one person: the first value of each field counts. */
function together(one: ImportedCustomer | undefined, other: ImportedCustomer): ImportedCustomer {
  if (one === undefined) return other;
  const names = one.name === null ? other : one;
  return {
    ...{ phone: one.phone, name: names.name, firstName: names.firstName, lastName: names.lastName },
    ...{ email: one.email ?? other.email, company: one.company ?? other.company },
    ...{ address: one.address ?? other.address, suburb: one.suburb ?? other.suburb },
    postcode: one.postcode ?? other.postcode,
    tags: [...one.tags, ...other.tags],
    optedOut: one.optedOut || other.optedOut,
  };
}

interface OfCar extends OfCustomer {
  /** Null: the row names no car. */
  readonly carId: string | null;
}

async function writeCars(tx: Queryable, workshopId: string, rows: readonly OfCustomer[], at: Date) {
  const wanted = new Map<string, CarRow>();
  const keys = rows.map(({ row: { car, identity }, customerId }) => {
    if (car === null) return null;
    const key = `${customerId} ${car.rego ?? identity}`;
    const earlier = wanted.get(key);
    wanted.set(key, {
      ...{ id: earlier?.id ?? newId(), customerId, rego: car.rego },
      ...{ make: earlier?.make ?? car.make, model: earlier?.model ?? car.model },
      ...{
        year: earlier?.year ?? car.year,
        badge: earlier?.badge ?? car.badge,
        vin: earlier?.vin ?? car.vin,
      },
    });
    return key;
  });
  const cars = await importCars(tx, workshopId, [...wanted.values()], at);
  const nameOf = ({ customerId, rego }: Pick<FoundCar, 'customerId' | 'rego'>) => `${customerId} ${rego}`;
  const withRego = new Map(cars.map((car) => [nameOf(car), car]));
  const idOf = (key: string | null) => {
    const car = key === null ? undefined : wanted.get(key);
    return car === undefined ? null : car.rego === null ? car.id : (withRego.get(nameOf(car))?.id ?? car.id);
  };
  const of: OfCar[] = rows.map((row, n) => ({ ...row, carId: idOf(keys[n] ?? null) }));
  const known = [...wanted.values()].flatMap((car) => {
    const one = car.rego === null ? undefined : withRego.get(nameOf(car));
    return one === undefined || one.isMade ? [] : [{ ...car, id: one.id }];
  });
  const changes = [
    ...cars.filter(({ isMade }) => isMade).map(({ id, mark }) => made('car', id, mark)),
    ...filledCars(
      cars.filter(({ isMade }) => !isMade),
      await fillCars(tx, workshopId, known, at),
    ),
  ];
  return { of, made: cars.filter(({ isMade }) => isMade).length, changes };
}

/** The id of the booking of each row that has one. */
async function writeBookings(tx: Queryable, workshopId: string, rows: readonly OfCar[], at: Date) {
  const ids = new Map<GoodRow, string>();
  if (rows.every(({ row }) => row.booking === null)) return ids;
  const rules = found('workshop', workshopId, await freshRules(tx, workshopId));
  const bookings = rows.flatMap((each) => {
    const booking = bookingOf(each, rules, at);
    if (booking !== null) ids.set(each.row, booking.id);
    return booking ?? [];
  });
  await insertImported(tx, workshopId, bookings, at);
  const noShows = rows.flatMap(({ row }) => (row.booking?.isNoShow === true ? (ids.get(row) ?? []) : []));
  await markNotCome(tx, workshopId, { bookingIds: noShows, actor: actors.schedule, at });
  return ids;
}

/** A future booking takes its place even against the rules: it was promised in the other system. */
function bookingOf(
  { row, customerId, carId }: OfCar,
  rules: KnownRules,
  at: Date,
): ImportedBookingRow | null {
  const { booking, customer, car } = row;
  if (booking === null || carId === null) return null;
  const services = newServices(booking.services, null);
  const { date, status, notes } = booking;
  const place = status === 'cancelled' ? null : placeFor(rules, needOf({ ...services, date, createdAt: at }));
  const columns: PlaceColumns =
    place === null ? noPlace : { ...place, placeVersion: rules.version, heldTo: null };
  return {
    ...{ id: newId(), code: newBookingCode(), customerId, carId, status, date, notes },
    ...{
      contactName: customer.name,
      contactFirstName: customer.firstName,
      contactLastName: customer.lastName,
    },
    ...{ contactEmail: customer.email, contactPhone: customer.phone, contactCompany: customer.company },
    ...{ carYear: car?.year ?? null, carMake: car?.make ?? null, carModel: car?.model ?? null },
    ...{ carBadge: car?.badge ?? null, carVin: car?.vin ?? null },
    ...services,
    ...columns,
    anywayReason: place === null ? null : importedReason,
  };
}
