/** The counts in the report of a workshop, and how they are added. */

/** Bookings, by the day of the booking, with their present status. */
export const bookingCounts = [
  ...(['bookings', 'pending', 'confirmed', 'completed', 'cancelled'] as const),
  // `due`: no-shows, and past bookings that were not cancelled; `notCome`: no-shows.
  ...(['due', 'notCome'] as const),
];
export type BookingCount = (typeof bookingCounts)[number];

/** Quotes, by when they were requested, with their present status; values are money in the workshop's currency. */
export const quoteCounts = [
  ...(['asked', 'priced', 'pricedValue', 'won', 'wonValue'] as const),
  // Declined, and expired, after a price was given.
  ...(['lost', 'expired'] as const),
  // Undecided; and declined without a price.
  ...(['waiting', 'turnedDown'] as const),
];
export type QuoteCount = (typeof quoteCounts)[number];

/** SMS, by when they were created. */
export const textCounts = [
  ...(['messagesSent', 'messagesDelivered', 'messagesFailed', 'messagesReceived', 'smsSegments'] as const),
];
export type TextCount = (typeof textCounts)[number];

export type Sums<Name extends string> = Readonly<Record<Name, number>>;

/** Each name with its sum, computed by `of`. */
export const sumsBy = <Name extends string>(names: readonly Name[], of: (name: Name) => number): Sums<Name> =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;

/** The sums of several rows added together. */
export const added = <Name extends string>(names: readonly Name[], rows: readonly Sums<Name>[]): Sums<Name> =>
  sumsBy(names, (name) => rows.reduce((sum, row) => sum + row[name], 0));

/** The share, from 0 to 1; null when `whole` is 0. */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The share of accepted quotes among decided ones with a price; null: none was decided. */
export const wonShare = ({ won, lost, expired }: Sums<'won' | 'lost' | 'expired'>): number | null =>
  share(won, won + lost + expired);
