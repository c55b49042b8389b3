/** The findings of the doctor. */

export interface Finding {
  /** A stored place, a stored day, a slot or a limit with too many bookings; a name that is no time zone; a zone's data; a carrier's id of several messages; the secret key; settings of the connections; the replica; senders of SMS. */
  readonly kind:
    | 'place'
    | 'day'
    | 'overbooked'
    | 'limit'
    | 'timezone'
    | 'zoneData'
    | 'sharedId'
    | 'secretKey'
    | 'connection'
    | 'replica'
    | 'smsSender';
  /** Null: it is about the installation. */
  readonly workshopId: string | null;
  /** The code of the booking; null: it is about no single one. */
  readonly code: string | null;
  /** The start of the booking, slot or day; of a time zone, now; when zone data begin to differ; when an id was given again; null: it is about no time. */
  readonly at: Date | null;
  /** The fault, in words for people. */
  readonly message: string;
  readonly repaired: boolean;
  /** True: nothing is wrong, but people may want to know. */
  readonly isNotice?: true;
}
