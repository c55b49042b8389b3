/** The wire form of a call lead, built by the database, and its links to customer and booking (specification: Call leads 2). */

import { instantJson } from '#platform/db/json.ts';
import { hasDealtWith } from '#product/customers/seen/store.ts';

/** The reader of a call: a partner sees the customer only if it has dealt with them; the workshop always. */
type Reader = 'partner' | 'workshop';

/**
 * Joins to put after a row `lead` of call leads: `caller.customer_id`, the customer who has the phone or had it before an erasure,
 * and `booked.id`, the customer's first booking by the same partner within 30 days after the call. Both are computed, not stored,
 * so they are right in the commit that creates the customer or the booking. OFFSET 0 limits the search to the customer's bookings:
 * by partner and time it would read those of all customers.
 */
export function leadLinks(lead: string): string {
  return `CROSS JOIN LATERAL (
      SELECT coalesce(${lead}.customer_id,
        (SELECT id FROM customer WHERE customer.phone = ${lead}.caller_phone AND customer.workshop_id = ${lead}.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
      SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
       WHERE own.partner_id = ${lead}.partner_id
         AND own.created_at BETWEEN ${lead}.called_at AND ${lead}.called_at + interval '30 days'
       ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true`;
}

/** A jsonb expression over a row `lead` with its `leadLinks`. */
export function callLeadJson(lead: string, reader: Reader): string {
  const customerId =
    reader === 'workshop'
      ? 'caller.customer_id'
      : `CASE WHEN booked.id IS NOT NULL OR ${hasDealtWith('caller.customer_id', `${lead}.partner_id`)} THEN caller.customer_id END`;
  return `jsonb_build_object('id', ${lead}.id, 'workshopId', ${lead}.workshop_id, 'customerId', ${customerId}, 'bookingId', booked.id,
    'externalId', ${lead}.external_id, 'callerPhone', nullif(${lead}.caller_phone, ''), 'calledAt', ${instantJson(`${lead}.called_at`)},
    'durationSeconds', ${lead}.duration_seconds, 'outcome', ${lead}.outcome, 'source', ${lead}.source,
    'recordingUrl', ${lead}.recording_url, 'customerName', ${lead}.customer_name, 'notes', ${lead}.notes,
    'createdAt', ${instantJson(`${lead}.created_at`)}, 'updatedAt', ${instantJson(`${lead}.updated_at`)})`;
}
