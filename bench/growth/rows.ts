/** The statements that fill each table, for workshops $1 to $2 and bookings (or customers) $3 to $4 of each, in the order of their time. */
import { customersOfWorkshop, firstWithin, keptDays } from './shape.ts';

export interface Rows {
  readonly table: string;
  /** The numbers of which each workshop has rows: from here to before `to`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Of each partner's webhook, which is disabled. */
export const endpoint = 'https://partner.example/pitlane';

const those = (number: 'n' | 'k') =>
  `growth.workshop AS o CROSS JOIN LATERAL (SELECT o.number AS w) AS its CROSS JOIN generate_series($3::int, $4::int) AS ${number}`;
const ofRange = 'o.number BETWEEN $1::int AND $2::int';
const customer = 'growth.customer_of(w, n)';
/** A fifth are the large partner's, a tenth the desk's own, the others the partner's of the workshop. */
const partner = 'CASE WHEN n % 10 < 2 THEN large.partner_id WHEN n % 10 < 9 THEN o.partner_id END';
const large = 'CROSS JOIN (SELECT partner_id FROM growth.workshop WHERE number = 0) AS large';

/** Three events of a booking: made, confirmed a quarter of an hour later, completed or cancelled after its date. */
const stepsOf = `CROSS JOIN LATERAL (VALUES (1, 'created', 'bookingCreate', growth.made(n)),
    (2, 'confirmed', 'bookingConfirmed', growth.made(n) + interval '15 minutes'),
    (3, CASE WHEN n % 13 = 0 THEN 'cancelled' ELSE 'completed' END, CASE WHEN n % 13 = 0 THEN 'bookingCancelled' ELSE 'bookingCompleted' END,
     growth.date_of(n) + interval '5 hours')) AS step (number, name, action, at)`;
const stepsAt = (
  at: string,
) => `CROSS JOIN LATERAL (VALUES (1, 'created', 'bookingCreate', ${at}), (2, 'confirmed', 'bookingConfirmed', ${at}),
    (3, 'completed', 'bookingCompleted', ${at})) AS step (number, name, action, at)`;
const happened = 'step.at < growth.loaded_at()';

const sms = `'Hi ' || growth.first_name(w, ${customer}) || ', your booking at Bench Motors is confirmed. Manage it at https://book.example/m/' || growth.code(w, n)`;
const services = `'[{"catalogId":null,"catalogCode":null,"category":"service","title":"Logbook service","icon":null,"color":null,"cost":289,"maxCost":null,"source":"custom"}]'::jsonb`;

export function allRows(bookings: number): Rows[] {
  const ofCustomers = { from: 0, to: customersOfWorkshop };
  const within = (days: number) => ({ from: firstWithin(days), to: bookings });
  const all = { from: 0, to: bookings };
  return [
    {
      table: 'customer',
      ...ofCustomers,
      text: `INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, details_from, created_at, updated_at)
        SELECT growth.customer_id(w, k), o.id, growth.first_name(w, k) || ' ' || growth.last_name(w, k), growth.first_name(w, k),
               growth.last_name(w, k), growth.email(w, k), growth.phone(w, k), ARRAY[o.partner_id], growth.customer_made(k), growth.customer_made(k)
          FROM ${those('k')} WHERE ${ofRange} ORDER BY k`,
    },
    {
      table: 'car',
      ...ofCustomers,
      text: `INSERT INTO car (id, workshop_id, customer_id, rego, make, model, created_at, updated_at)
        SELECT growth.car_id(w, k), o.id, growth.customer_id(w, k), growth.rego(w, k), 'Toyota', 'Corolla', growth.customer_made(k), growth.customer_made(k)
          FROM ${those('k')} WHERE ${ofRange} ORDER BY k`,
    },
    {
      table: 'conversation',
      ...ofCustomers,
      text: `INSERT INTO conversation (id, workshop_id, customer_id, created_at)
        SELECT growth.conversation_id(w, k), o.id, growth.customer_id(w, k), growth.customer_made(k) FROM ${those('k')} WHERE ${ofRange} ORDER BY k`,
    },
    {
      table: 'booking',
      ...all,
      text: `INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, status, services, service_minutes, contact_name,
               contact_first_name, contact_last_name, contact_email, contact_phone, notes, car_make, version, created_at, updated_at, changed_in,
               occupied_from, occupied_until, counted_services, counted_categories)
        SELECT growth.booking_id(w, n), growth.code(w, n), ${partner}, o.id, growth.customer_id(w, k), growth.car_id(w, k), at, status, ${services},
               '{60}', first || ' ' || last, first, last, growth.email(w, k), growth.phone(w, k), CASE WHEN n % 2 = 0 THEN 'Squeaks when braking' END,
               'Toyota', 3, growth.made(n), updated, growth.changed_in(updated),
               CASE WHEN status <> 'cancelled' THEN at END, CASE WHEN status <> 'cancelled' THEN at + interval '1 hour' END,
               CASE WHEN status <> 'cancelled' THEN '{null}'::uuid[] END, CASE WHEN status <> 'cancelled' THEN '{service}'::text[] END
          FROM ${those('n')} ${large}
         CROSS JOIN LATERAL (SELECT ${customer} AS k, growth.date_of(n) AS at, growth.status_of(n) AS status) AS one
         CROSS JOIN LATERAL (SELECT least(growth.loaded_at(), at + interval '5 hours') AS updated) AS change
         CROSS JOIN LATERAL (SELECT growth.first_name(w, k) AS first, growth.last_name(w, k) AS last) AS name
         WHERE ${ofRange} ORDER BY n`,
    },
    {
      table: 'attendance',
      ...within(keptDays.attendance),
      text: `INSERT INTO attendance (booking_id, state, actor, at)
        SELECT growth.booking_id(w, n), 'collected', 'schedule', growth.date_of(n) + interval '6 hours'
          FROM ${those('n')} WHERE ${ofRange} AND growth.status_of(n) = 'completed' ORDER BY n`,
    },
    ...noticeRows(within(keptDays.notices)),
    ...talkRows(all),
    ...eventRows(within(keptDays.events)),
    {
      table: 'audit_entry',
      ...within(keptDays.audit),
      text: `INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after, version)
        SELECT growth.event_id(w, n, step.number, step.at), step.at, o.id, ${partner}, 'ptl_key_0123456789abcdef', md5(n::text), 'booking', growth.booking_id(w, n), step.name,
               CASE WHEN step.number > 1 THEN '{"status":"pending"}'::jsonb END, jsonb_build_object('status', step.name, 'notes', 'Squeaks when braking'), step.number
          FROM ${those('n')} ${large} ${stepsOf} WHERE ${ofRange} AND ${happened} ORDER BY n`,
    },
  ];
}

type Range = Pick<Rows, 'from' | 'to'>;

/** Of each booking four, and an attempt of each. */
export function noticeRows(range: Range, at = 'growth.made(n)'): Rows[] {
  const notices = `${those('n')}
     CROSS JOIN (VALUES ('customer', 'sms'), ('customer', 'email'), ('workshop', 'sms'), ('workshop', 'email')) AS to_whom (audience, channel)
     CROSS JOIN LATERAL (SELECT ${customer} AS k, growth.id(${at}, 'message ' || audience || channel || w || ' ' || n) AS message_id, ${at} AS sent) AS one`;
  return [
    {
      table: 'message',
      ...range,
      text: `INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, direction, recipient, body, encoding, segments, state, attempts,
               created_at, updated_at, gateway, version, channel, kind, audience, cause_id, subject, handed_over_at)
        SELECT message_id, o.id, CASE WHEN audience = 'customer' AND channel = 'sms' THEN growth.conversation_id(w, k) END, CASE WHEN audience = 'customer' THEN growth.customer_id(w, k) END,
               growth.booking_id(w, n), 'outbound', CASE channel WHEN 'sms' THEN growth.phone(w, k) ELSE growth.email(w, k) END,
               CASE channel WHEN 'sms' THEN ${sms} ELSE repeat(${sms} || E'\\n', 3) END, CASE channel WHEN 'sms' THEN 'gsm7' END, CASE channel WHEN 'sms' THEN 1 END,
               CASE channel WHEN 'sms' THEN 'delivered' ELSE 'accepted' END, 1, sent, sent, 'sandbox', 3, channel, 'bookingNotice', audience,
               growth.event_id(w, n, 1, sent), CASE channel WHEN 'email' THEN 'Your booking at Bench Motors' END, sent
          FROM ${notices} WHERE ${ofRange} ORDER BY n`,
    },
    {
      table: 'message_attempt',
      ...range,
      text: `INSERT INTO message_attempt (id, message_id, number, gateway, gateway_id, state, started_at, asked_at, finished_at, business_started_at, business_finished_at)
        SELECT growth.id(sent, 'attempt ' || message_id), message_id, 1, 'sandbox', message_id::text, CASE channel WHEN 'sms' THEN 'delivered' ELSE 'accepted' END, sent, sent, sent, sent, sent
          FROM ${notices} WHERE ${ofRange} ORDER BY n`,
    },
  ];
}

/** Every third car is said to be ready, every ninth customer answers, every eighteenth is answered. What was said a week ago is done. */
function talkRows(range: Range): Rows[] {
  return [
    {
      table: 'message',
      ...range,
      text: `INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, recipient, body, encoding, segments, state, attempts,
               created_at, updated_at, gateway, version, channel, kind, audience)
        SELECT growth.id(said.at, 'said ' || w || ' ' || n || said.kind), o.id, growth.conversation_id(w, k), growth.customer_id(w, k),
               CASE said.kind WHEN 'partnerMessage' THEN ${partner} END, said.direction, growth.phone(w, k),
               said.body, 'gsm7', 1, said.state, CASE said.direction WHEN 'outbound' THEN 1 ELSE 0 END, said.at, said.at, 'sandbox', 2, 'sms',
               CASE WHEN said.kind = 'partnerMessage' AND n % 10 = 9 THEN 'reply' ELSE said.kind END, 'customer'
          FROM ${those('n')} ${large} CROSS JOIN LATERAL (SELECT ${customer} AS k) AS one
         CROSS JOIN LATERAL (VALUES
           (3, 'partnerMessage', 'outbound', 'delivered', 'Your car is ready to collect. Please call us before you come.', growth.date_of(n) + interval '6 hours'),
           (9, 'inbound', 'inbound', 'received', 'Thanks, can I come after five?', growth.date_of(n) + interval '7 hours'),
           (18, 'reply', 'outbound', 'delivered', 'Yes, we are here until six.', growth.date_of(n) + interval '8 hours')) AS said (each, kind, direction, state, body, at)
         WHERE ${ofRange} AND n % said.each = 0 AND said.at < growth.loaded_at() ORDER BY n`,
    },
  ];
}

/** Three of each booking; all at one time where one is given. */
export function eventRows(range: Range, at?: string): Rows[] {
  const steps = at === undefined ? stepsOf : stepsAt(at);
  const done = `${those('n')} ${large} ${steps} WHERE ${ofRange} AND ${happened}`;
  return [
    {
      table: 'event',
      ...range,
      text: `INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, relayed_at, actor, request_id)
        SELECT growth.event_id(w, n, step.number, step.at), 'booking.' || step.name, ${partner}, o.id, growth.booking_id(w, n), step.number,
               jsonb_build_object('booking', jsonb_build_object('id', growth.booking_id(w, n), 'status', step.name, 'notes', repeat(md5(n::text), 37))),
               step.at, step.at, 'ptl_key_0123456789abcdef', md5(n::text) FROM ${done} ORDER BY n`,
    },
    {
      table: 'partner_event',
      ...range,
      text: `INSERT INTO partner_event (id, partner_id, workshop_id, action, updated_at, changed_in)
        SELECT growth.event_id(w, n, step.number, step.at), ${partner}, o.id, step.action, step.at, growth.changed_in(step.at)
          FROM ${done} AND n % 10 < 9 ORDER BY n`,
    },
    {
      table: 'webhook_delivery',
      ...range,
      text: `INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, attempts, tries, attempted_at, created_at)
        SELECT growth.id(step.at, 'delivery ' || w || ' ' || n || ' ' || step.number), webhook.id, growth.event_id(w, n, step.number, step.at),
               step.action, 'delivered',
               jsonb_build_array(jsonb_build_object('id', growth.id(step.at, 'try ' || w || ' ' || n || ' ' || step.number), 'at', step.at, 'responseStatus', 200, 'durationMs', 12, 'error', NULL)),
               1, step.at, step.at
          FROM growth.workshop AS o CROSS JOIN LATERAL (SELECT o.number AS w) AS its CROSS JOIN generate_series($3::int, $4::int) AS n ${large} ${steps}
          JOIN webhook ON webhook.partner_id = ${partner} AND webhook.url = '${endpoint}' WHERE ${ofRange} AND ${happened} ORDER BY n`,
    },
  ];
}
