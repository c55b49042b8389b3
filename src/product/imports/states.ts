/** The state of a booking in the words of other systems, and whether its customer came (specification: Imports 10). */
import type { BookingStatus } from '#product/bookings/schema.ts';
import { readYes } from './clean.ts';
import type { ImportField } from './columns.ts';

/** In lower case, letters alone: `CANCELLED_BY_CUSTOMER` is `cancelledbycustomer`. */
const statuses: Readonly<Record<BookingStatus | 'noShow', readonly string[]>> = {
  pending: ['pending', 'requested', 'tentative', 'unconfirmed', 'awaitingconfirmation'],
  confirmed: [
    ...['confirmed', 'booked', 'scheduled', 'accepted', 'active', 'upcoming'],
    ...['arrived', 'started', 'checkedin', 'inprogress'],
  ],
  completed: [
    ...['completed', 'complete', 'done', 'finished', 'invoiced', 'closed', 'collected', 'paid'],
    ...['attended', 'checkedout', 'fulfilled'],
  ],
  cancelled: [
    ...['cancelled', 'canceled', 'declined', 'rejected', 'deleted', 'rescheduled'],
    ...['cancelledbycustomer', 'canceledbycustomer', 'cancelledbyclient', 'canceledbyclient'],
    ...['cancelledbyseller', 'canceledbyseller', 'latecancellation'],
  ],
  noShow: ['noshow', 'didnotcome', 'didnotattend', 'didnotshow', 'missed', 'dna'],
};
const known = new Map(
  Object.entries(statuses).flatMap(([status, words]) =>
    words.map((word) => [word, status as BookingStatus | 'noShow']),
  ),
);

export interface ReadState {
  /** Null: the row does not say. */
  readonly status: BookingStatus | null;
  readonly isNoShow: boolean;
}

type Cells = ReadonlyMap<ImportField, string>;

/** A booking whose customer did not come keeps the state that it had, as where staff mark it. */
export function readState(cells: Cells, note: (field: ImportField, message: string) => void): ReadState {
  const word = cells.get('status');
  const status = word === undefined ? null : (known.get(word.toLowerCase().replace(/[^a-z]/g, '')) ?? null);
  if (word !== undefined && status === null)
    note('status', 'must be pending, confirmed, completed, cancelled or no-show');
  const [isCancelled, isNoShow] = (['cancelled', 'noShow'] as const).map((field) => {
    const said = readYes(cells.get(field));
    if (said === null) note(field, 'must be yes or no');
    return said === true;
  });
  if (isCancelled === true) return { status: 'cancelled', isNoShow: false };
  if (status === 'noShow' || isNoShow === true) return { status: 'confirmed', isNoShow: true };
  return { status, isNoShow: false };
}
