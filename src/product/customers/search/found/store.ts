/** SQL that finds customers by their terms. */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import type { Probe } from '../asked.ts';

/** So many terms are read for a word: of 10,000 with the same name all. */
const termsAtMost = 20_000;
/** Of a word of one or two characters, which nearly all begin with. */
const termsOfShortAtMost = 2_000;
const carsAtMost = 20;

export interface FoundCar {
  readonly carId: string;
  readonly rego: string;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
}

export interface FoundBooking {
  readonly bookingId: string;
  readonly code: string;
  readonly date: Date;
  readonly status: string;
}

export interface FoundRow {
  readonly customerId: string;
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly cars: FoundCar[];
  readonly bookingId: string | null;
  readonly bookingCode: string | null;
  readonly bookingDate: Date | null;
  readonly bookingStatus: string | null;
}

export interface Wanted {
  readonly workshopId: string;
  readonly probes: readonly Probe[];
  readonly limit: number;
  /** A booking from then on is one that is ahead. */
  readonly since: Date;
}

/** Those of `hits` (customer_id, way, word, words, is_exact) of whom every word of a way was found, each once. */
const whole = (hits: string) => `SELECT customer_id, bool_or(is_exact) AS is_exact FROM (
        SELECT customer_id, bool_or(is_exact) AS is_exact FROM ${hits} AS hit
         GROUP BY customer_id, way HAVING bit_or(1 << word) = (1 << min(words)) - 1) AS of_way
       GROUP BY customer_id`;

const begun = `SELECT probe.way, probe.word, probe.words, t.customer_id,
        t.term = probe.low AND probe.kind IN ('rego', 'phone', 'code') AS is_exact
       FROM probe CROSS JOIN LATERAL (
         SELECT term, customer_id FROM search_term
          WHERE workshop_id = $1 AND kind = probe.kind AND term >= probe.low AND term < probe.high
          ORDER BY term LIMIT CASE WHEN length(probe.low) < 3 THEN ${termsOfShortAtMost} ELSE ${termsAtMost} END) AS t
      WHERE probe.low IS NOT NULL`;

/** The workshop stands in the index of parts as an array, which PostgreSQL has a class of for GIN. */
const within = `SELECT probe.way, probe.word, probe.words, t.customer_id, false AS is_exact
       FROM probe CROSS JOIN LATERAL (
         SELECT kind, customer_id FROM search_term
          WHERE ARRAY[workshop_id] @> ARRAY[$1::uuid] AND kind IN ('name', 'rego', 'email') AND term LIKE probe.part
          LIMIT ${termsAtMost}) AS t
      WHERE probe.part IS NOT NULL AND t.kind = ANY (probe.kinds)
        AND (SELECT count(*) FROM by_beginning) < $3 AND to_regclass('search_term_part') IS NOT NULL`;

const isAhead = `b.date >= $4::timestamptz AND b.status IN ('pending', 'confirmed')`;

const findText = planByIndex(`WITH probe AS MATERIALIZED (
      SELECT way, word, words, kinds, kinds[1] AS kind, low, high, part
        FROM jsonb_to_recordset($2::jsonb)
          AS p (way integer, word integer, words integer, kinds text[], low text, high text, part text)),
    begun AS MATERIALIZED (${begun}),
    by_beginning AS MATERIALIZED (${whole('begun')}),
    by_part AS (${whole(`(SELECT * FROM begun UNION ALL (${within}))`)}),
    matched AS (
      SELECT * FROM by_beginning WHERE (SELECT count(*) FROM by_beginning) >= $3
      UNION ALL SELECT * FROM by_part WHERE (SELECT count(*) FROM by_beginning) < $3),
    best AS MATERIALIZED (
      SELECT m.customer_id, m.is_exact, s.ahead_at, s.recent_at
        FROM matched m CROSS JOIN LATERAL (
          SELECT CASE WHEN ahead_at >= $4::timestamptz THEN ahead_at END AS ahead_at, recent_at FROM search_customer WHERE customer_id = m.customer_id AND workshop_id = $1 OFFSET 0) AS s
       ORDER BY m.is_exact DESC, s.ahead_at, s.recent_at DESC, m.customer_id LIMIT $3)
  SELECT k.id AS customer_id, k.name, k.phone, k.email,
         ARRAY(SELECT jsonb_build_object('carId', id, 'rego', rego, 'year', year, 'make', make, 'model', model) FROM car
                WHERE customer_id = k.id AND workshop_id = k.workshop_id ORDER BY updated_at DESC, id LIMIT ${carsAtMost}) AS cars,
         its.id AS booking_id, its.code AS booking_code, its.date AS booking_date, its.status AS booking_status
    FROM best CROSS JOIN LATERAL (
      SELECT id, workshop_id, name, phone, email FROM customer
       WHERE id = best.customer_id AND workshop_id = $1 AND erased_at IS NULL OFFSET 0) AS k
    LEFT JOIN LATERAL (
      SELECT b.id, b.code, b.date, b.status FROM booking b WHERE b.customer_id = k.id AND b.workshop_id = k.workshop_id
       ORDER BY lower(b.code) = ANY (ARRAY(SELECT low FROM probe WHERE kind = 'code')) DESC,
             ${isAhead} DESC, CASE WHEN ${isAhead} THEN b.date END, b.date DESC, b.id LIMIT 1) AS its ON true
   ORDER BY best.is_exact DESC, best.ahead_at, best.recent_at DESC, k.id`);

/** The statement and its values, for tests that read its plan. */
export const findStatement = ({ workshopId, probes, limit, since }: Wanted) => ({
  text: findText,
  values: [workshopId, recordset(probes), limit, since],
});

/** The best first; of a workshop's customers alone. */
export async function findByTerms(db: Queryable, wanted: Wanted): Promise<FoundRow[]> {
  const { text, values } = findStatement(wanted);
  return db.query<FoundRow>(text, values);
}
