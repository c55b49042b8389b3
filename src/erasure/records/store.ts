/** SQL of an erasure: a customer's bookings and quotes. */
import type { Queryable } from '#db/database.ts';

/** Locks the customer's quotes and bookings until the transaction ends: each change of one would write an event with personal details. */
export async function holdQuotesAndBookings(tx: Queryable, customerId: string): Promise<void> {
  await tx.query('SELECT FROM quote WHERE customer_id = $1 ORDER BY id FOR NO KEY UPDATE', [customerId]);
  await tx.query('SELECT FROM booking WHERE customer_id = $1 ORDER BY id FOR NO KEY UPDATE', [customerId]);
}

/**
 * `updated_at` rises strictly, and so does the version: a partner's `If-Match` from before must not match. Nobody has a use for
 * their manage links any more.
 */
export async function eraseBookings(tx: Queryable, bookingIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `WITH unlinked AS (DELETE FROM manage_link WHERE booking_id = ANY($1::uuid[]))
     UPDATE booking SET contact_name = 'Erased', contact_first_name = NULL, contact_last_name = NULL, contact_email = '',
       contact_phone = '', contact_company = NULL, car_vin = NULL, notes = NULL, job_notes = '{}', product_notes = '{}',
       cancel_reason = NULL,
       version = version + 1, updated_at = greatest($2, updated_at + interval '1 millisecond')
     WHERE id = ANY($1::uuid[])`,
    [bookingIds, at],
  );
}

/** The same for quotes. What the workshop offers stays; its words to the customer do not. */
export async function eraseQuotes(tx: Queryable, quoteIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `UPDATE quote SET contact_name = 'Erased', contact_first_name = NULL, contact_last_name = NULL, contact_email = '',
       contact_phone = '', contact_company = NULL, car_vin = NULL, notes = NULL, message = NULL,
       version = version + 1, updated_at = greatest($2, updated_at + interval '1 millisecond')
     WHERE id = ANY($1::uuid[])`,
    [quoteIds, at],
  );
}
