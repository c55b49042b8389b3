/** SQL of a partner's bookings: the list, newest first, and the feed of changes. */
import type { FilterParameters } from '#db/filters.ts';
import { fewIds, newestIds, type OwnTable, ownRows } from '#feed/list/store.ts';
import { type Booking, type BookingStatus, bookingStatuses } from '../schema.ts';
import { bookingJson } from '../snapshot.ts';

/** The filters of a list; an absent one filters nothing. */
export interface BookingFilters {
  readonly workshopId?: string;
  readonly status?: BookingStatus;
  /** `date` from this instant on, and before that one. */
  readonly from?: Date;
  readonly to?: Date;
  readonly externalId?: string;
}

/** A list by date sorts up to so many bookings; with more, it searches from the newest. */
const sortedAtMost = 2_000;

type Name = 'workshopId' | 'from' | 'to' | 'externalId';

/** Exported for tests that read the plans of its statements. */
export const bookingTable: OwnTable<Name> = {
  table: 'booking',
  statuses: bookingStatuses,
  columns: {
    workshopId: { type: 'uuid', is: (value) => `row.workshop_id = ${value}` },
    from: { type: 'timestamptz', is: (value) => `row.date >= ${value}` },
    to: { type: 'timestamptz', is: (value) => `row.date < ${value}` },
    externalId: { type: 'text', is: (value) => `row.external_id = ${value}` },
  },
  item: bookingJson('row', 'c'),
  joins: 'JOIN car c ON c.id = row.car_id',
  ids(parameters, isSet) {
    const { conditions } = parameters;
    if (isSet('externalId')) return { ids: fewIds('booking', conditions) };
    const newest = newestIds('booking', conditions);
    if (!isSet('from') && !isSet('to')) return { ids: newest };
    return {
      before: `WITH dated AS MATERIALIZED (${datedIds(parameters, isSet('workshopId'))}) `,
      ids: `SELECT id FROM dated WHERE (SELECT count(*) FROM dated) <= ${sortedAtMost} AND id < $3::uuid
    UNION ALL SELECT id FROM (${newest}) AS newest WHERE (SELECT count(*) FROM dated) > ${sortedAtMost}`,
    };
  },
};

/** The ids of all bookings of these dates, at most one more than is sorted, by workshop and date. */
function datedIds({ conditions, $ }: FilterParameters<Name>, ofOneWorkshop: boolean): string {
  const workshops = ofOneWorkshop
    ? `(SELECT ${$('workshopId')} AS id)`
    : `(SELECT workshop_id AS id FROM link WHERE partner_id = $1::uuid)`;
  return `SELECT own.id FROM ${workshops} AS workshop CROSS JOIN LATERAL (
      SELECT row.id FROM booking AS row
       WHERE ${['row.workshop_id = workshop.id', 'row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', ...conditions].join(' AND ')}
       ORDER BY row.date LIMIT ${sortedAtMost + 1}) AS own LIMIT ${sortedAtMost + 1}`;
}

export const bookingRows = ownRows<Name, BookingFilters, Booking>(bookingTable);
