/** The wire form of a quote, built by the database: one shape for responses, events and replays. */

import { instantJson } from '#platform/db/json.ts';
import { carJson, customerJson } from '#product/orders/snapshot.ts';

/** A jsonb expression over a quote row `q` and its car row `c`, of which only `rego` is needed. */
export function quoteJson(q: string, c: string): string {
  return `jsonb_build_object(
    'id', ${q}.id, 'code', ${q}.code, 'workshopId', ${q}.workshop_id, 'customerId', ${q}.customer_id, 'carId', ${q}.car_id,
    'bookingId', ${q}.booking_id, 'externalId', ${q}.external_id, 'car', ${carJson(q, c)}, 'customer', ${customerJson(q)},
    'status', ${q}.status, 'services', ${q}.services, 'notes', ${q}.notes, 'lines', ${q}.lines, 'total', ${q}.total,
    'message', ${q}.message, 'validUntil', ${instantJson(`${q}.valid_until`)}, 'url', ${q}.url,
    'createdAt', ${instantJson(`${q}.created_at`)}, 'updatedAt', ${instantJson(`${q}.updated_at`)})`;
}
