/**
 * SQL of the weeks before the demo's first day: bookings, attendance, quotes and texts, for its report. They are copies of the
 * day's rows, without events, so partners are not notified.
 */
import type { Queryable } from '#platform/db/database.ts';
import { idSqlAt } from '#platform/db/new-id.ts';

export interface PastOf {
  readonly workshopId: string;
  readonly partnerId: string;
  readonly timezone: string;
  /** Business time of the demo's first day. */
  readonly now: Date;
}

/** The number of bookings of a day: none on Sundays, few on Saturdays. */
const atWork = `n <= CASE extract(isodow FROM at AT TIME ZONE $3) WHEN 7 THEN -1 WHEN 6 THEN 3 ELSE 4 + (day * 7) % 5 END`;

/**
 * A third of the bookings came through the partner. Customers who write today have none of them, so that their conversations stay
 * short.
 */
const bookingsText = `WITH model AS (
       SELECT b.*, row_number() OVER (ORDER BY id) - 1 AS nth, count(*) OVER () AS models FROM booking b
        WHERE workshop_id = $1 AND NOT EXISTS (SELECT FROM conversation c WHERE c.workshop_id = $1 AND c.customer_id = b.customer_id)),
     made AS (
       INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, status, cancel_reason, services, contact_name,
                            contact_email, contact_phone, car_make, car_model, occupied_from, occupied_until, counted_services,
                            counted_categories, created_at, updated_at)
       SELECT ${idSqlAt('made_at')}, upper(left(md5(gen_random_uuid()::text), 10)), CASE WHEN n % 3 = 1 THEN $2::uuid END, workshop_id,
              customer_id, car_id, at, state, CASE state WHEN 'cancelled' THEN 'The customer called.' END, model.services, contact_name,
              contact_email, contact_phone, car_make, car_model, occupied.*, made_at, at
         FROM generate_series(1, 70) AS day CROSS JOIN generate_series(0, 8) AS n CROSS JOIN
              LATERAL (SELECT ((($4::timestamptz AT TIME ZONE $3)::date - day) + time '07:30' + n * interval '1 hour')
                              AT TIME ZONE $3 AS at) AS its
         CROSS JOIN LATERAL (SELECT its.at - interval '5 days' AS made_at,
                              CASE WHEN (day * 5 + n * 3) % 13 = 0 THEN 'cancelled' ELSE 'completed' END AS state) AS of
         JOIN model ON nth = (day * 3 + n) % models
         LEFT JOIN LATERAL (SELECT its.at, its.at + interval '75 minutes', ARRAY[(model.services->0->>'catalogId')::uuid],
                           ARRAY[model.services->0->>'category'])
                   AS occupied (since, until, services, categories) ON state <> 'cancelled'
        WHERE ${atWork}
       RETURNING id, status)
     INSERT INTO attendance (booking_id, state, actor, at)
     SELECT id, CASE WHEN row_number() OVER (ORDER BY id) % 23 = 0 THEN 'didNotCome' ELSE 'collected' END, 'operator', $4
       FROM made WHERE status <> 'cancelled'`;

const quotesText = `INSERT INTO quote
     SELECT (jsonb_populate_record(q, jsonb_build_object(
              'id', ${idSqlAt('made_at')}, 'code', upper(left(md5(gen_random_uuid()::text), 10)), 'status', state,
              'created_at', made_at, 'updated_at', made_at + interval '1 day', 'total', price, 'valid_until', made_at + interval '14 days',
              'services', jsonb_build_array(jsonb_build_object('title', wanted)),
              'lines', jsonb_build_array(jsonb_build_object('title', wanted, 'quantity', 1, 'unitPrice', price, 'total', price)),
              'booking_id', CASE state WHEN 'accepted' THEN (
                SELECT id FROM booking WHERE workshop_id = $1 AND partner_id = $2 ORDER BY id LIMIT 1) END))).*
       FROM quote q, generate_series(1, 24) AS n,
            LATERAL (SELECT $4::timestamptz - n * interval '67 hours' - interval '16 days' AS made_at, 180 + n * 37 % 900 AS price,
                            (ARRAY['Brakes squeal', 'Clutch slips', 'Air-conditioning blows warm', 'Coolant drips'])[1 + n % 4] AS wanted,
                            (ARRAY['accepted', 'declined', 'accepted', 'expired', 'accepted'])[1 + n % 5] AS state) AS its
      WHERE q.workshop_id = $1 AND q.partner_id = $2 AND q.status = 'requested' AND $3::text IS NOT NULL`;

const textsText = `WITH past AS (
       SELECT * FROM booking
        WHERE workshop_id = $1 AND created_at < $4::timestamptz - interval '5 days' AND $2::uuid IS NOT NULL),
     talk AS (
       INSERT INTO conversation (id, workshop_id, customer_id, created_at)
       SELECT gen_random_uuid(), $1, customer_id, min(created_at) FROM past
        WHERE NOT EXISTS (SELECT FROM conversation c WHERE c.workshop_id = $1 AND c.customer_id = past.customer_id)
        GROUP BY customer_id RETURNING id, customer_id)
     INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, direction, recipient, body, encoding, segments, kind,
                          state, reason, created_at, updated_at, handed_over_at)
     SELECT ${idSqlAt('past.created_at')}, $1, talk.id, past.customer_id, past.id, 'outbound', contact_phone,
            'We have booked your car for ' || to_char(date AT TIME ZONE $3, 'FMDay FMDD FMMonth, FMHH12:MI am') || '.', 'gsm7',
            1, 'bookingNotice', CASE WHEN at_random < 0.03 THEN 'undelivered' ELSE 'delivered' END,
            CASE WHEN at_random < 0.03 THEN 'invalidNumber' END, past.created_at, past.created_at, past.created_at
       FROM past JOIN talk USING (customer_id),
            LATERAL (SELECT ('x' || left(md5(past.code), 4))::bit(16)::integer / 65536.0 AS at_random) AS its`;

/** Inserts ten weeks. Call it in a transaction, after the bookings and the quote request of the first day were created. */
export async function insertPast(
  tx: Queryable,
  { workshopId, partnerId, timezone, now }: PastOf,
): Promise<void> {
  for (const text of [bookingsText, quotesText, textsText])
    await tx.query(text, [workshopId, partnerId, timezone, now]);
}

/** Whether it was made. */
export async function hasPast(db: Queryable, { workshopId, now }: PastOf): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM booking WHERE workshop_id = $1 AND date < $2::timestamptz - interval '2 days') AS found`,
    [workshopId, now],
  );
  return row?.found === true;
}
