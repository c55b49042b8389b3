/** SQL of what a partner may see of a workshop's customers, who are shared by its partners: its own dealings, and nothing of another's. */

/** The contact details; those that may not be seen are absent. */
export type CustomerSeen = Partial<
  Record<'name' | 'firstName' | 'lastName' | 'email' | 'phone' | 'company', string | null>
>;

/** For the FROM clause: the latest booking of the customer row `k` that the partner made. */
export function latestBooking(k: string, partnerId: string): string {
  return `LATERAL (SELECT * FROM booking WHERE customer_id = ${k}.id AND partner_id = ${partnerId} ORDER BY created_at DESC, id DESC LIMIT 1)`;
}

/**
 * A jsonb expression, CustomerSeen: what a partner may see of the customer row `k` (null without one). `own` is its `latestBooking`:
 * the contact details of that, else those of the customer's row, but only the phone when another partner sent those. The workshop
 * itself, without a partner, sees all.
 */
export function customerSeen(k: string, own: string, partnerId: string): string {
  return `CASE WHEN ${own}.id IS NOT NULL THEN jsonb_build_object('name', ${own}.contact_name, 'firstName', ${own}.contact_first_name,
                  'lastName', ${own}.contact_last_name, 'email', ${own}.contact_email, 'phone', ${k}.phone, 'company', ${own}.contact_company)
                WHEN ${partnerId} IS NOT NULL AND NOT ${k}.details_from <@ ARRAY[${partnerId}] THEN jsonb_build_object('phone', ${k}.phone)
                WHEN ${k}.id IS NOT NULL THEN jsonb_build_object('name', ${k}.name, 'firstName', ${k}.first_name, 'lastName', ${k}.last_name,
                  'email', ${k}.email, 'phone', ${k}.phone, 'company', ${k}.company) END`;
}

/** Where a partner's dealings with a customer stand. Each is looked for by the customer: by the partner it would read those of all customers. */
const dealings = ['booking', 'quote', 'service_reminder', 'message'];

/**
 * A condition: the partner has dealt with the customer by itself, so it may know that the workshop has them. A partner that knows a phone
 * alone must not learn from us that its owner is a customer.
 */
export function hasDealtWith(customerId: string, partnerId: string): string {
  const within = dealings.map(
    (table) =>
      `EXISTS (SELECT FROM (SELECT partner_id FROM ${table} WHERE customer_id = ${customerId} OFFSET 0) AS own WHERE own.partner_id = ${partnerId})`,
  );
  return `(${within.join('\n      OR ')})`;
}
