/** What the doctor finds. */

export interface Finding {
  /** A stored place, a stored day, a slot or a limit with too many bookings, a name that is no time zone. */
  readonly kind: 'place' | 'day' | 'overbooked' | 'limit' | 'timezone';
  readonly workshopId: string;
  /** Of the booking; null: it is about no single one. */
  readonly code: string | null;
  /** The start of the booking, slot or day; of a time zone, now. */
  readonly at: Date;
  /** What is wrong, for people. */
  readonly message: string;
  readonly repaired: boolean;
}
