/** What Find reads, of all customers of a workshop at once: the product makes it customer by customer, and the first hundred are compared with it. */
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '#platform/db/database.ts';
import { lookAfter, markOf, readSearched } from '#product/customers/search/store.ts';
import { termsOf } from '#product/customers/search/terms.ts';
import type { Rows } from './rows.ts';
import { customersOfWorkshop } from './shape.ts';

export const searchTerms: Rows = {
  table: 'search_term',
  from: 0,
  to: customersOfWorkshop,
  text: `INSERT INTO search_term (workshop_id, kind, term, customer_id)
    SELECT DISTINCT o.id, term.kind, term.term, growth.customer_id(w, k)
      FROM growth.workshop AS o CROSS JOIN LATERAL (SELECT o.number AS w) AS its CROSS JOIN generate_series($3::int, $4::int) AS k
     CROSS JOIN LATERAL (SELECT growth.phone(w, k) AS phone, lower(growth.rego(w, k)) AS rego) AS known
     CROSS JOIN LATERAL (VALUES
       ('name', lower(growth.first_name(w, k))), ('name', lower(growth.last_name(w, k))), ('rego', rego), ('rego', right(rego, 3)),
       ('phone', substr(phone, 2)), ('phone', '0' || substr(phone, 4)), ('phoneEnd', reverse(substr(phone, 2))), ('email', growth.email(w, k))) AS term (kind, term)
     WHERE o.number BETWEEN $1::int AND $2::int`,
};

export const codeTerms = (bookings: number): Rows => ({
  table: 'search_term',
  from: 0,
  to: bookings,
  text: `INSERT INTO search_term (workshop_id, kind, term, customer_id)
    SELECT o.id, 'code', lower(growth.code(o.number, n)), growth.customer_id(o.number, growth.customer_of(o.number, n))
      FROM growth.workshop AS o CROSS JOIN generate_series($3::int, $4::int) AS n WHERE o.number BETWEEN $1::int AND $2::int`,
});

/** Of the workshops $1 to $2, once bookings and cars have their indexes. */
export const searchCustomersText = `INSERT INTO search_customer (customer_id, workshop_id, ahead_at, recent_at, mark)
  SELECT k.id, k.workshop_id, booked.ahead_at, coalesce(booked.recent_at, k.created_at), ${markOf('k')}
    FROM (SELECT k.*, k.xmin FROM growth.workshop AS o JOIN customer k ON k.workshop_id = o.id WHERE o.number BETWEEN $1::int AND $2::int) AS k
   CROSS JOIN LATERAL (
     SELECT max(date) FILTER (WHERE status IN ('pending', 'confirmed')) AS ahead_at, max(date) FILTER (WHERE status <> 'cancelled') AS recent_at
       FROM booking WHERE customer_id = k.id) AS booked`;

/** Throws unless the product would write the same terms and marks of a hundred customers. */
export async function checkSearch(db: Database): Promise<void> {
  const looked = await lookAfter(db, null, 100);
  const found = await readSearched(
    db,
    looked.map(({ customerId }) => customerId),
  );
  for (const row of found) {
    const stored = await db.query<{ kind: string; term: string }>(
      'SELECT kind, term FROM search_term WHERE customer_id = $1 ORDER BY kind, term',
      [row.customerId],
    );
    const wanted = termsOf(row).map(({ kind, term }) => ({ kind, term }));
    const inOrder = (terms: typeof stored) => terms.map(({ kind, term }) => `${kind} ${term}`).sort();
    if (!isDeepStrictEqual(inOrder(stored), inOrder(wanted)))
      throw new Error(`terms differ: ${inOrder(stored).join(', ')}; ${inOrder(wanted).join(', ')}`);
  }
  if (looked.some(({ differs }) => differs)) throw new Error('the sweep of Find would read customers again');
}
