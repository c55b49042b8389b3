/** Counts of what the rows of a file create. */

export interface Counts {
  /** All but the headings. */
  readonly rows: number;
  /** Rows with a fault, which create nothing. */
  readonly faulty: number;
  /** Rows that were imported before. */
  readonly leftAlone: number;
  readonly customersMade: number;
  /** Rows of customers that the workshop knows, or that an earlier row has created. */
  readonly customersJoined: number;
  readonly carsMade: number;
  readonly bookingsMade: number;
}

export const noCounts: Counts = {
  ...{ rows: 0, faulty: 0, leftAlone: 0, customersMade: 0, customersJoined: 0, carsMade: 0, bookingsMade: 0 },
};

export function sumOf(one: Counts, other: Partial<Counts>): Counts {
  const names = Object.keys(noCounts) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + (other[name] ?? 0)])) as unknown as Counts;
}

/** The name of each count, in display order. */
export const countLabels: Readonly<Record<keyof Counts, string>> = {
  rows: 'Rows',
  customersMade: 'New customers',
  customersJoined: 'Joined with a known customer',
  carsMade: 'New cars',
  bookingsMade: 'New bookings',
  leftAlone: 'Left alone: imported before',
  faulty: 'Rows with faults',
};
