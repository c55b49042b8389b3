/** SQL that finds customers by their terms. */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planInOrder } from '#platform/db/plan-modes.ts';
import { carName } from '../../cars/store.ts';
import { idsOf } from '../../merged/store.ts';
import { type Probe, wordsAtMost } from '../asked.ts';

/** The most rows of terms that one search reads; a name that 10,000 customers share is read completely. */
export const termsAtMost = 20_000;
const carsAtMost = 20;
/** More probes than six words in three ways have; it is the planner's row estimate. */
export const probesAtMost = 130;

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
  /** Bookings from then on are ahead. */
  readonly since: Date;
}

/** The most ways of reading one search. */
const waysAtMost = 3;
const bitOf = (probe: string) => `1 << (${probe}.way * ${wordsAtMost} + ${probe}.word)`;
/** A condition for one of the ways, whose bits are three parameters. */
const hasAll = (bits: string, from: number) =>
  [from, from + 1, from + 2].map((each) => `(${bits} & $${each}) = $${each}`).join(' OR ');

const isExact = (t: string) => `${t}.term = probe.low AND probe.kind IN ('rego', 'phone', 'code')`;

const hasChecks = 'EXISTS (SELECT FROM probe WHERE is_check)';

const countOf = (...ctes: readonly string[]) =>
  ctes.map((each) => `(SELECT count(*) FROM ${each})`).join(' + ');

/** The rows of terms that a search may still read after those of these CTEs: for a LIMIT, which ends the reading. */
const leftAfter = (...ctes: readonly string[]) => `greatest(0, $12::bigint - (${countOf(...ctes)}))`;

/**
 * The customers in `hits` (customer_id, bit, is_exact) for whom all words of a way were found, each once: CTEs `name`, and `name_checked`, the
 * terms that were read for the words to check. `before`: the CTEs that have read terms before.
 */
const whole = (name: string, hits: string, before: readonly string[]) => `${name}_full AS MATERIALIZED (
      SELECT customer_id, bit_or(bit) AS bits, bool_or(is_exact) AS is_exact FROM ${hits} AS hit
       GROUP BY customer_id HAVING ${hasAll('bit_or(bit)', 5)}),
    ${name}_checked AS MATERIALIZED (
      SELECT its.customer_id, t.kind, t.term FROM ${name}_full its CROSS JOIN LATERAL (
        SELECT kind, term FROM search_term WHERE customer_id = its.customer_id AND workshop_id = $1 OFFSET 0) AS t
       WHERE ${hasChecks} LIMIT ${leftAfter(...before)}),
    ${name} AS MATERIALIZED (
      SELECT customer_id, bool_or(is_exact) AS is_exact FROM (
        SELECT * FROM ${name}_full
         UNION ALL
        SELECT t.customer_id, ${bitOf('probe')}, ${isExact('t')} FROM ${name}_checked t
          JOIN probe ON probe.kind = t.kind AND t.term >= probe.low AND t.term < probe.high
         WHERE probe.is_check) AS its (customer_id, bits, is_exact)
       GROUP BY customer_id HAVING NOT ${hasChecks} OR ${hasAll('bit_or(bits)', 9)})`;

const begun = `SELECT ${bitOf('probe')} AS bit, t.customer_id,
        ${isExact('t')} AS is_exact
       FROM probe CROSS JOIN LATERAL (
         SELECT term, customer_id FROM search_term
          WHERE workshop_id = $1 AND kind = probe.kind AND term >= probe.low AND term < probe.high
          ORDER BY term LIMIT ${termsAtMost}) AS t
      WHERE probe.low IS NOT NULL AND NOT probe.is_check LIMIT $12::bigint`;

/**
 * Below this number, substrings are searched too: `$8` is the limit; 1 with several words, 0 without substrings. A substring of a
 * common word is slow to find.
 */
const tooFew = '(SELECT count FROM by_beginning_count) < $8';

/**
 * The keys of the index of substrings are three characters and the workshop (`search_parts.sql`). The other conditions are checked for what it finds, and are
 * written so that no other index fits them; `tableoid` is in none, or the primary key would be read from end to end by a plan that was
 * made while the table was empty. What does not fit counts as read.
 */
const within = `SELECT ${bitOf('probe')} AS bit, t.customer_id,
        t.kind = ANY (probe.kinds) AND strpos(t.term, probe.part) > 0 AS fits
       FROM probe CROSS JOIN LATERAL (
         SELECT kind, term, customer_id FROM search_term
          WHERE search_parts(workshop_id, term) @> search_parts($1, probe.part)
            AND (kind IN ('name', 'rego', 'email')) IS TRUE AND length(term) >= 3
            AND workshop_id IS NOT DISTINCT FROM $1 AND tableoid <> 0
          LIMIT ${termsAtMost}) AS t
      WHERE probe.part IS NOT NULL AND NOT probe.is_check
        AND ${tooFew} LIMIT ${leftAfter('begun', 'by_beginning_checked')}`;

/** With more matches than this, customers are read in display order until there are enough. */
const fewAtMost = 500;
const order = 'is_exact DESC, ahead_at, recent_at DESC, customer_id';
const ahead = 'CASE WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at';

/**
 * The best of `matched` (customer_id, is_exact), where `on` is true: CTEs `…_few`, `…_ahead`, `…_recent`. IS TRUE makes it a filter
 * instead of a join, which keeps the order of the index.
 */
function bestOf(matched: string, on: string): string {
  const isMany = `(SELECT count FROM ${matched}_count) > ${fewAtMost} AND ${on}`;
  const walked = (
    where: string,
    by: string,
  ) => `SELECT s.customer_id, false AS is_exact, ${ahead}, s.recent_at
        FROM search_customer s
       WHERE s.workshop_id = $1 AND ${where} AND ${isMany}
         AND (s.customer_id IN (SELECT customer_id FROM ${matched})) IS TRUE
       ORDER BY ${by} LIMIT $3`;
  return `${matched}_count AS MATERIALIZED (SELECT count(*) FROM ${matched}),
    ${matched}_few AS MATERIALIZED (
      SELECT m.customer_id, m.is_exact, s.ahead_at, s.recent_at FROM ${matched} m CROSS JOIN LATERAL (
        SELECT ${ahead}, s.recent_at FROM search_customer s
         WHERE s.customer_id = m.customer_id AND s.workshop_id = $1 OFFSET 0) AS s
       WHERE ${on} AND (m.is_exact OR (SELECT count FROM ${matched}_count) <= ${fewAtMost}) ORDER BY ${order} LIMIT $3),
    ${matched}_ahead AS MATERIALIZED (${walked('s.ahead_at >= $4::timestamptz', 's.ahead_at')}),
    ${matched}_recent AS MATERIALIZED (
      ${walked(
        `(s.ahead_at IS NULL OR s.ahead_at < $4::timestamptz) AND (SELECT count(*) FROM ${matched}_ahead) < $3`,
        's.recent_at DESC',
      )})`;
}

const allOf = (matched: string) =>
  ['few', 'ahead', 'recent'].map((part) => `SELECT * FROM ${matched}_${part}`).join(' UNION ALL ');

const isAhead = `b.date >= $4::timestamptz AND b.status IN ('pending', 'confirmed')`;
const cars = `ARRAY(SELECT jsonb_build_object('carId', id, 'rego', rego, 'year', year, 'make', make, 'model', model)
           FROM (
             SELECT DISTINCT ON (${carName}) * FROM car
              WHERE customer_id = ANY (${idsOf('k.id')}) AND workshop_id = k.workshop_id
              ORDER BY ${carName}, updated_at DESC, id) AS car ORDER BY updated_at DESC, id LIMIT ${carsAtMost})`;

const findText = planInOrder(`WITH probe AS MATERIALIZED (
      SELECT way, word, is_check, kinds, kinds[1] AS kind, low, high, part
        FROM jsonb_to_recordset($2::jsonb)
          AS p (way integer, word integer, is_check boolean, kinds text[], low text, high text, part text)
       LIMIT ${probesAtMost}),
    begun AS MATERIALIZED (${begun}),
    ${whole('by_beginning', 'begun', ['begun'])},
    ${bestOf('by_beginning', `NOT ${tooFew}`)},
    parted AS MATERIALIZED (${within}),
    ${whole(
      'by_part',
      `(SELECT bit, customer_id, is_exact FROM begun WHERE ${tooFew} UNION ALL SELECT bit, customer_id, false FROM parted WHERE fits)`,
      ['begun', 'by_beginning_checked', 'parted'],
    )},
    ${bestOf('by_part', tooFew)},
    best AS MATERIALIZED (
      SELECT customer_id, bool_or(is_exact) AS is_exact, ahead_at, recent_at
        FROM (${allOf('by_beginning')} UNION ALL ${allOf('by_part')}) AS ranked
       GROUP BY customer_id, ahead_at, recent_at ORDER BY ${order} LIMIT $3)
  SELECT (${countOf('begun', 'by_beginning_checked', 'parted', 'by_part_checked')})::integer AS terms_read,
         k.id AS customer_id, k.name, k.phone, k.email, ${cars} AS cars,
         its.id AS booking_id, its.code AS booking_code, its.date AS booking_date, its.status AS booking_status
    FROM (VALUES (true)) AS one LEFT JOIN (best CROSS JOIN LATERAL (
      SELECT id, workshop_id, name, phone, email FROM customer
       WHERE id = best.customer_id AND workshop_id = $1 AND erased_at IS NULL OFFSET 0) AS k
    LEFT JOIN LATERAL (
      SELECT b.id, b.code, b.date, b.status FROM booking b
       WHERE b.customer_id = ANY (${idsOf('k.id')}) AND b.workshop_id = k.workshop_id
       ORDER BY lower(b.code) = ANY (ARRAY(SELECT low FROM probe WHERE kind = 'code')) DESC,
             ${isAhead} DESC, CASE WHEN ${isAhead} THEN b.date END, b.date DESC, b.id LIMIT 1) AS its ON true) ON true
   ORDER BY best.is_exact DESC, best.ahead_at, best.recent_at DESC, k.id`);

/** The statement and its values, for tests that read its plan. */
export const findStatement = ({ workshopId, probes, limit, since }: Wanted, readAtMost = termsAtMost) => ({
  text: findText,
  values: [
    ...[workshopId, recordset(probes), limit, since],
    ...bitsOfWays(probes.filter(({ isCheck }) => !isCheck)),
    fewerThan(probes, limit),
    ...bitsOfWays(probes),
    readAtMost,
  ],
});

function fewerThan(probes: readonly Probe[], limit: number): number {
  if (probes.every(({ part }) => part === null)) return 0;
  return probes.every(({ word }) => word === 0) ? limit : 1;
}

/** The words of each way as bits; missing ways repeat those of the first. */
function bitsOfWays(probes: readonly Probe[]): number[] {
  const bits: number[] = [];
  for (const { way, word } of probes) bits[way] = (bits[way] ?? 0) | (1 << (way * wordsAtMost + word));
  const [first] = bits.filter((each) => each !== undefined);
  return Array.from({ length: waysAtMost }, (_, way) => bits[way] ?? first ?? -1);
}

export interface FoundRows {
  /** Best first. */
  readonly rows: readonly FoundRow[];
  /** How many rows of terms were read. */
  readonly termsRead: number;
}

/** Only of one workshop; reads at most `readAtMost` rows of terms. */
export async function findByTerms(db: Queryable, wanted: Wanted, readAtMost: number): Promise<FoundRows> {
  const { text, values } = findStatement(wanted, readAtMost);
  type Row = { readonly termsRead: number } & (FoundRow | { readonly customerId: null });
  const rows = await db.query<Row>(text, values);
  return {
    rows: rows.filter((row): row is Row & FoundRow => row.customerId !== null),
    termsRead: rows[0]?.termsRead ?? 0,
  };
}
