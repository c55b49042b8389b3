/** The notes on records that an import makes and changes, and the values of them that can be set back. */
import type { CarValues, StoredCar } from '#product/customers/imported/cars/store.ts';
import type { CustomerValues, StoredCustomer } from '#product/customers/imported/store.ts';

/** In the order in which they are taken back: a booking holds its car, and a car its customer. */
export const changedKinds = ['booking', 'car', 'customer'] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** By the name of its column: what the import found, and what it left. */
export type ChangedFields = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

export interface Change {
  readonly kind: ChangedKind;
  readonly recordId: string;
  /** False: the record was there. */
  readonly isMade: boolean;
  /** Differs after every later change of the record: its version, or a digest. */
  readonly mark: string;
  /** As the import found the record; null: it made it. */
  readonly markBefore: string | null;
  /** Null: the import made the record. */
  readonly fields: ChangedFields | null;
}

/** The import that a set of rows belongs to. */
export interface RunOfSet {
  readonly importId: string;
  readonly workshopId: string;
  readonly kind: string;
}

export const made = (kind: ChangedKind, recordId: string, mark: string): Change => ({
  ...{ kind, recordId, isMade: true, mark, markBefore: null, fields: null },
});

type Column = readonly [column: string, name: string];

/** The columns of a customer, by groups that are set back as a whole, such as a name. */
const customerGroups: readonly (readonly Column[])[] = [
  [
    ['name', 'name'],
    ['first_name', 'firstName'],
    ['last_name', 'lastName'],
  ],
  ...['phone', 'email', 'company', 'address', 'suburb', 'postcode', 'tags'].map((name) => [
    [name, name] as const,
  ]),
];
/** From whom the details are: set back once nothing of the file is left in them. */
const source: Column = ['details_from', 'detailsFrom'];
const carGroups: readonly (readonly Column[])[] = ['make', 'model', 'year', 'badge', 'vin'].map((name) => [
  [name, name],
]);
const groupsOf: Readonly<Record<'customer' | 'car', readonly (readonly Column[])[]>> = {
  customer: [...customerGroups, [source]],
  car: carGroups,
};

const alike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

type Values = Readonly<Record<string, unknown>>;

function changesOf(kind: 'customer' | 'car', before: Values, after: Values): ChangedFields {
  const changed = groupsOf[kind].filter((group) =>
    group.some(([, name]) => !alike(before[name], after[name])),
  );
  return Object.fromEntries(
    changed.flat().map(([column, name]) => [column, [before[name] ?? null, after[name] ?? null]]),
  );
}

/** The customers before and after they were filled; those that lack nothing too: the file names them. */
export function filledCustomers(
  before: readonly StoredCustomer[],
  after: readonly StoredCustomer[],
): Change[] {
  const were = new Map(before.map((each) => [each.id, each]));
  return after.flatMap((now) => {
    const was = were.get(now.id);
    if (was === undefined) return [];
    const fields = changesOf('customer', { ...was }, { ...now });
    const marks = { mark: String(now.version), markBefore: String(was.version) };
    return [{ ...marks, kind: 'customer' as const, recordId: now.id, isMade: false, fields }];
  });
}

/** The same of cars; `after` has those that changed. */
export function filledCars(before: readonly StoredCar[], after: readonly StoredCar[]): Change[] {
  const are = new Map(after.map((each) => [each.id, each]));
  return before.map((was) => {
    const now = are.get(was.id) ?? was;
    const fields = changesOf('car', { ...was }, { ...now });
    const marks = { mark: now.mark, markBefore: was.mark };
    return { ...marks, kind: 'car', recordId: was.id, isMade: false, fields };
  });
}

export interface SetBack {
  /** By column; empty: none still has the file's value. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether something of the file stays, since it was changed. */
  readonly isPart: boolean;
}

/** Returns the file's values that a record still has, with those that it had before. */
export function setBackOf(
  kind: 'customer' | 'car',
  fields: ChangedFields,
  present: CustomerValues | CarValues,
): SetBack {
  const has: Values = { ...present };
  const values: Record<string, unknown> = {};
  let isPart = false;
  for (const group of groupsOf[kind]) {
    const its = group.flatMap(([column, name]) => {
      const change = Object.hasOwn(fields, column) ? fields[column] : undefined;
      return change === undefined ? [] : [{ column, name, change }];
    });
    if (its.length === 0) continue;
    const isOfFile = its.every(({ name, change }) => alike(has[name] ?? null, change[1]));
    const mayGo = isOfFile && !(group[0] === source && isPart);
    if (mayGo) for (const { column, change } of its) values[column] = change[0];
    else if (group[0] !== source) isPart = true;
  }
  return { values, isPart };
}
