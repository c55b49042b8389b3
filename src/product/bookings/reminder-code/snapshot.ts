/**
 * The wire form of a service reminder, built by the database: the same in responses and events. It is in this folder because a
 * booking writes it too.
 */
import { instantJson } from '#platform/db/json.ts';

/** A jsonb expression over a row `r`. Customer and car are as the partner sent them when it was created. */
export function reminderJson(r: string): string {
  return `jsonb_build_object('id', ${r}.id, 'code', ${r}.code, 'carId', ${r}.car_id, 'customerId', ${r}.customer_id,
    'workshopId', ${r}.workshop_id, 'lastServiceId', ${r}.last_service_id, 'lastBookingId', ${r}.last_booking_id,
    'newBookingId', ${r}.new_booking_id, 'externalId', ${r}.external_id,
    'car', CASE WHEN ${r}.car_id IS NOT NULL THEN ${r}.car || jsonb_build_object('id', ${r}.car_id, 'customerId', ${r}.customer_id) END,
    'customer', ${r}.customer || jsonb_build_object('id', ${r}.customer_id, 'workshopId', ${r}.workshop_id),
    'status', ${r}.status, 'dueDate', ${instantJson(`${r}.due_at`)}, 'sentAt', ${instantJson(`${r}.sent_at`)},
    'createdAt', ${instantJson(`${r}.created_at`)}, 'updatedAt', ${instantJson(`${r}.updated_at`)})`;
}

/** The fields that events of a reminder take from its record (`src/product/reminders/`), since a booking changes reminders too. */
export const changedReminder = {
  name: 'serviceReminder',
  table: 'service_reminder',
  partner: { json: reminderJson, joins: () => '' },
} as const;
