/** SQL of what a partner may see of a workshop's customers, whom partners share: its own dealings, and nothing of another's. */

/** The contact details of a customer; fields that may not be seen are absent. */
export type CustomerSeen = Readonly<
  Partial<Record<'name' | 'firstName' | 'lastName' | 'email' | 'phone' | 'company', string | null>>
>;

const details = (row: string, prefix: string, k: string) => `jsonb_build_object('name', ${row}.${prefix}name,
      'firstName', ${row}.${prefix}first_name, 'lastName', ${row}.${prefix}last_name, 'email', ${row}.${prefix}email,
      'phone', ${k}.phone, 'company', ${row}.${prefix}company)`;

/** A jsonb expression, CustomerSeen: the customer row `k` with everything that the workshop sees. */
export const customerKnown = (k: string): string => details(k, '', k);

/**
 * A jsonb expression, CustomerSeen: what a partner may see of the customer row `k` (null without one). The contact details of its
 * own latest booking with them, else those of the customer's row, but only the phone if another partner sent details of the row.
 * Without a partner: everything that the workshop sees.
 */
export function customerSeen(k: string, partnerId: string): string {
  return `CASE WHEN ${k}.id IS NOT NULL THEN coalesce(
    (SELECT ${details('own', 'contact_', k)} FROM booking own WHERE own.customer_id = ${k}.id AND own.partner_id = ${partnerId}
      ORDER BY own.created_at DESC, own.id DESC LIMIT 1),
    CASE WHEN ${partnerId} IS NOT NULL AND NOT ${k}.details_from <@ ARRAY[${partnerId}] THEN jsonb_build_object('phone', ${k}.phone)
         ELSE ${customerKnown(k)} END) END`;
}

/**
 * The tables with a partner's dealings with a customer. Each is searched by customer: by partner it would read the rows of all
 * customers.
 */
const dealings = ['booking', 'quote', 'service_reminder', 'message'];

/**
 * A condition: the partner has dealt with the customer itself, so it may know that the workshop has them. A partner that knows only
 * a phone must not learn that its owner is a customer.
 */
export function hasDealtWith(customerId: string, partnerId: string): string {
  const within = dealings.map(
    (table) =>
      `EXISTS (SELECT FROM (SELECT partner_id FROM ${table} WHERE customer_id = ${customerId} OFFSET 0) AS own
        WHERE own.partner_id = ${partnerId})`,
  );
  return `(${within.join('\n      OR ')})`;
}
