/** Rows as an installation has them after some time: one large workshop among others. */
import type { PoolClient } from 'pg';
import { withoutTriggers } from '../harness/database.ts';

export interface Crowd {
  readonly partnerId: string;
  readonly workshopId: string;
  /** An endpoint of the partner. */
  readonly webhookId: string;
}

/** Customers of the one workshop, each with a car, a booking, a quote, a call, a reminder, a conversation, and a message that waits to be sent again; and deliveries that are done. */
export const crowdSize = 3_000;

/** Written by another connection than the one that is measured, and not analysed. */
export function insertCrowd(url: string, crowd: Crowd): Promise<void> {
  return withoutTriggers(url, (client) => insertRows(client, crowd));
}

async function insertRows(client: PoolClient, { partnerId, workshopId, webhookId }: Crowd): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `WITH people AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Customer ' || n, '+6149' || (1000000 + n), clock_timestamp(), clock_timestamp()
         FROM generate_series(1, ${crowdSize}) n RETURNING id, phone),
     cars AS (
       INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
       SELECT gen_random_uuid(), $1, id, 'R' || phone, clock_timestamp(), clock_timestamp() FROM people
       RETURNING id, customer_id),
     booked AS (
       INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, contact_name, contact_email,
         contact_phone, created_at, updated_at, occupied_from, occupied_until, counted_services, counted_categories)
       SELECT gen_random_uuid(), substr(md5(id::text), 1, 12), $2, $1, customer_id, id, clock_timestamp(), 'X', '', '',
              clock_timestamp(), clock_timestamp(), '2040-01-01', '2040-01-02', '{null}', '{tyres}' FROM cars RETURNING id),
     told AS (
       INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, relayed_at)
       SELECT gen_random_uuid(), 'booking.created', $2, $1, id, 1, '{}', clock_timestamp(), clock_timestamp() FROM booked),
     called AS (
       INSERT INTO call_lead (id, partner_id, workshop_id, caller_phone, called_at, outcome, was_missed, external_id, created_at, updated_at)
       SELECT gen_random_uuid(), $2, $1, phone, clock_timestamp() - interval '1 day', 'answered', false, id::text, clock_timestamp(), clock_timestamp()
         FROM people),
     reminded AS (
       INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, external_id, automatic, customer, status, due_at, taken_at, created_at, updated_at)
       SELECT gen_random_uuid(), substr(md5(id::text), 1, 12), $2, $1, id, id::text, false,
              '{"name":"X","firstName":null,"lastName":null,"email":null,"phone":null,"company":null,"address":null,"postcode":null,"suburb":null}', 'cancelled', clock_timestamp(), clock_timestamp(),
              clock_timestamp(), clock_timestamp() FROM people),
     talks AS (
       INSERT INTO conversation (id, workshop_id, customer_id, created_at)
       SELECT gen_random_uuid(), $1, id, clock_timestamp() FROM people RETURNING id, customer_id),
     sent AS (
       INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, kind, recipient, body, encoding,
         segments, state, attempt_id, attempts, created_at, updated_at)
       SELECT gen_random_uuid(), $1, id, customer_id, $2, 'outbound', 'partnerMessage', '+61400000000', 'Hi', 'gsm7', 1, 'accepted',
              gen_random_uuid(), 1, clock_timestamp(), clock_timestamp() FROM talks RETURNING id, attempt_id),
     waiting AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, series_id, series_number, recipient, created_at)
       SELECT id, $1, 'sms', 1, '2040-01-01', gen_random_uuid(), 1, '+61400000000', clock_timestamp() FROM sent)
     INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at)
     SELECT attempt_id, id, 1, 'recorded', 'accepted', clock_timestamp() FROM sent`,
    [workshopId, partnerId],
  );
  await client.query(
    `INSERT INTO template (id, workshop_id, name, body, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Template ' || n, 'Hi', clock_timestamp(), clock_timestamp() FROM generate_series(1, 500) n`,
    [workshopId],
  );
  await client.query(
    `INSERT INTO quote (id, code, partner_id, workshop_id, customer_id, car_id, external_id, status, contact_name, contact_email,
       contact_phone, services, service_minutes, version, created_at, updated_at)
     SELECT gen_random_uuid(), substr(md5(id::text), 1, 12), $2, $1, customer_id, id, id::text, 'requested', 'X', '', '', '[]', '{}', 1,
            clock_timestamp(), clock_timestamp() FROM car WHERE workshop_id = $1 AND created_at >= now()`,
    [workshopId, partnerId],
  );
  await client.query(
    `WITH published AS (
       INSERT INTO partner_event (id, partner_id, workshop_id, action, updated_at)
       SELECT gen_random_uuid(), $2, $1, 'bookingCreate', clock_timestamp() FROM generate_series(1, ${crowdSize}) RETURNING id)
     INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, created_at)
     SELECT gen_random_uuid(), $3, id, 'bookingCreate', 'delivered', clock_timestamp() FROM published`,
    [workshopId, partnerId, webhookId],
  );
  await client.query(
    `WITH others AS (
       INSERT INTO partner (id, name, created_at, updated_at)
       SELECT gen_random_uuid(), 'Partner ' || n, clock_timestamp(), clock_timestamp() FROM generate_series(1, 500) n
       RETURNING id),
     elsewhere AS (
       INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
       SELECT gen_random_uuid(), 'Workshop ' || n, 'workshop-' || n, 'AU', 'Australia/Sydney', '+61255501234', 'w@w.example',
              clock_timestamp(), clock_timestamp() FROM generate_series(1, 500) n RETURNING id)
     INSERT INTO link (partner_id, workshop_id, created_at)
     SELECT id, $1, clock_timestamp() FROM others UNION ALL SELECT $2, id, clock_timestamp() FROM elsewhere`,
    [workshopId, partnerId],
  );
  await client.query('COMMIT');
  // What was written is counted now, and not within the next seconds.
  await client.query('SELECT pg_stat_force_next_flush()');
}
