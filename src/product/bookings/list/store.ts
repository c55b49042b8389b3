/** SQL of a partner's list of bookings narrowed by date: a few matches are sorted; with many, the newest bookings are searched. */
import { type Found, type ListParts, pageOfRecords } from '#platform/records/list/store.ts';
import { bookingRecord } from '../record.ts';

/** A list by date sorts up to this many bookings; with more, it searches from the newest. */
const sortedAtMost = 2_000;

/** Exported for tests that read the plans of its statements. */
export function findBookingIds(parts: ListParts): Found {
  const { isSet, few, newest } = parts;
  if (few !== null) return { ids: few };
  if (!isSet('from') && !isSet('to')) return { ids: newest };
  return {
    before: `WITH dated AS MATERIALIZED (${datedIds(parts)}) `,
    ids: `SELECT id FROM dated WHERE (SELECT count(*) FROM dated) <= ${sortedAtMost} AND id < $3::uuid
    UNION ALL SELECT id FROM (${newest}) AS newest WHERE (SELECT count(*) FROM dated) > ${sortedAtMost}`,
  };
}

/** The ids of all bookings of these dates, at most one more than the limit for sorting, by workshop and date. */
function datedIds({ conditions, $, isSet }: ListParts): string {
  const workshops = isSet('workshopId')
    ? `(SELECT ${$('workshopId')} AS id)`
    : `(SELECT workshop_id AS id FROM link WHERE partner_id = $1::uuid)`;
  return `SELECT own.id FROM ${workshops} AS workshop CROSS JOIN LATERAL (
      SELECT row.id FROM booking AS row
       WHERE ${['row.workshop_id = workshop.id', 'row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', ...conditions].join(' AND ')}
       ORDER BY row.date LIMIT ${sortedAtMost + 1}) AS own LIMIT ${sortedAtMost + 1}`;
}

export const readBookingPage = pageOfRecords(bookingRecord, findBookingIds);
