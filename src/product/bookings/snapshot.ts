/** The wire form of a booking, built by the database: one shape for responses, events and replays (specification: Bookings 1). */
import { instantJson } from '#platform/db/json.ts';
import { carJson, customerJson } from '#product/orders/snapshot.ts';
import { fieldsJson } from './columns.ts';

/** A jsonb expression over a booking row `b` and its car row `c`, of which only `rego` is needed. */
export function bookingJson(b: string, c: string): string {
  return `jsonb_build_object(
    'id', ${b}.id, 'code', ${b}.code, 'carId', ${b}.car_id, 'customerId', ${b}.customer_id, 'workshopId', ${b}.workshop_id,
    'status', ${b}.status, 'date', ${instantJson(`${b}.date`)}, ${fieldsJson(b)}, 'cancelReason', ${b}.cancel_reason,
    'createdAt', ${instantJson(`${b}.created_at`)}, 'updatedAt', ${instantJson(`${b}.updated_at`)},
    'car', ${carJson(b, c)}, 'customer', ${customerJson(b)})`;
}

/** The duration of all services of a booking row `b` together, in minutes; 0: unknown. */
export const minutesOf = (b: string): string =>
  `(SELECT coalesce(sum(minutes), 0)::int FROM unnest(${b}.service_minutes) AS minutes)`;
