/** What the report of a workshop counts, and how counts are added. */

/** Bookings, by the day that they are for, with the status of now. */
export const bookingCounts = [
  ...(['bookings', 'pending', 'confirmed', 'completed', 'cancelled'] as const),
  // Their time is past and they were not cancelled, or nobody came; and those that nobody came to.
  ...(['due', 'notCome'] as const),
];
export type BookingCount = (typeof bookingCounts)[number];

/** Quotes, by when they were asked for, with the state of now; values are money in the workshop's currency. */
export const quoteCounts = [
  ...(['asked', 'priced', 'pricedValue', 'won', 'wonValue'] as const),
  // Declined, and no longer valid, after there was a price.
  ...(['lost', 'expired'] as const),
  // Not decided yet; and declined without a price.
  ...(['waiting', 'turnedDown'] as const),
];
export type QuoteCount = (typeof quoteCounts)[number];

/** SMS, by when they were made. */
export const textCounts = [
  ...(['messagesSent', 'messagesDelivered', 'messagesFailed', 'messagesReceived', 'smsSegments'] as const),
];
export type TextCount = (typeof textCounts)[number];

export type Sums<Name extends string> = Readonly<Record<Name, number>>;

/** Each name with what `of` says. */
export const sumsBy = <Name extends string>(names: readonly Name[], of: (name: Name) => number): Sums<Name> =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;

/** The sums of some rows together. */
export const added = <Name extends string>(names: readonly Name[], rows: readonly Sums<Name>[]): Sums<Name> =>
  sumsBy(names, (name) => rows.reduce((sum, row) => sum + row[name], 0));

/** How many of so many, from 0 to 1; null: of none. */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Of the quotes with a price that were decided, how many were won; null: none was decided. */
export const wonShare = ({ won, lost, expired }: Sums<'won' | 'lost' | 'expired'>): number | null =>
  share(won, won + lost + expired);
