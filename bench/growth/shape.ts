/**
 * What an installation of a size holds. It grows by workshops, each with the same bookings of three years, more of them lately than
 * at first; customers come again. All is computed of a workshop's number `w` and a booking's number `n` in it, or a customer's `k`:
 * ids too, so rows of one table need not look those of another up.
 */

export const bookingsOfWorkshop = 5_000;
/** Of five bookings two are of new customers. */
export const customersOfWorkshop = (bookingsOfWorkshop / 5) * 2;
const workshopsOfPartner = 50;
export const daysBack = 1_095;
/** Over 1: each day has a few more than the day before. */
const growth = 1.15;
/** What is deleted at an age by default is there a day less, so that nothing is due. */
export const keptDays = { notices: 89, events: 29, audit: 399, attendance: 399 } as const;

/** Numbers of what an installation with that many bookings holds. */
export function shapeOf(bookings: number) {
  const workshops = Math.max(2, Math.round(bookings / bookingsOfWorkshop));
  return { workshops, partners: 1 + Math.ceil(workshops / workshopsOfPartner) };
}

/** The first booking of a workshop that is at most that many days old. */
export function firstWithin(days: number): number {
  return Math.ceil(bookingsOfWorkshop * (1 - (days / daysBack) ** (1 / growth)));
}

/** The first number of a transaction that `growth.changed_in` does not give out. */
export const firstFreeTransaction = daysBack + 2;

/** Of the customer `k`. */
const firstBookingOf = 'k / 2 * 5 + k % 2 * 2';

const syllable = (number: string) =>
  `(ARRAY['ba','den','kor','lin','mar','nor','pet','ros','sal','ter','vin','wes','han','gar','ful','jen'])[1 + (${number}) % 16]`;

const codeText = Array.from(
  { length: 8 },
  (_, place) =>
    `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((w::bigint * ${bookingsOfWorkshop} + n) * 668265263 % 1099511627776 >> ${5 * place} & 31)::integer, 1)`,
).join(' || ');

/** The functions behind all rows, in a schema of their own, each an expression that PostgreSQL puts where it is called; `loadedAt` is the moment at which all of it ends. */
export const functionsText = (loadedAt: string) => `
  CREATE SCHEMA growth;
  CREATE TABLE growth.workshop (number integer PRIMARY KEY, id uuid NOT NULL, partner_id uuid NOT NULL);
  CREATE TABLE growth.state (is_whole boolean NOT NULL);
  CREATE FUNCTION growth.loaded_at() RETURNS timestamptz STABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT timestamptz '${loadedAt}' $$;
  -- A UUIDv7 of that time.
  CREATE FUNCTION growth.id(at timestamptz, salt text) RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || overlay(overlay(left(md5(salt), 20) PLACING '7' FROM 1) PLACING '8' FROM 5))::uuid $$;
  CREATE FUNCTION growth.made(n integer) RETURNS timestamptz STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.loaded_at() - interval '${daysBack} days' * power(1 - n / ${bookingsOfWorkshop}::float8, ${growth}) $$;
  -- The transaction of a change at that time, as if there had been one a day; feeds read in this order.
  CREATE FUNCTION growth.changed_in(at timestamptz) RETURNS xid8 STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT greatest(1, 1 + floor(extract(epoch FROM at - growth.loaded_at()) / 86400)::bigint + ${daysBack})::text::xid8 $$;
  CREATE FUNCTION growth.customer_of(w integer, n integer) RETURNS integer STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE n % 5 WHEN 0 THEN n / 5 * 2 WHEN 2 THEN n / 5 * 2 + 1 ELSE (n * 7919 + w) % (n / 5 * 2 + 1) END $$;
  CREATE FUNCTION growth.customer_made(k integer) RETURNS timestamptz STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.made(${firstBookingOf}) $$;
  CREATE FUNCTION growth.customer_id(w integer, k integer) RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.id(growth.customer_made(k), 'customer ' || w || ' ' || k) $$;
  CREATE FUNCTION growth.car_id(w integer, k integer) RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.id(growth.customer_made(k), 'car ' || w || ' ' || k) $$;
  CREATE FUNCTION growth.conversation_id(w integer, k integer) RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.id(growth.customer_made(k), 'talk ' || w || ' ' || k) $$;
  CREATE FUNCTION growth.booking_id(w integer, n integer) RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.id(growth.made(n), 'booking ' || w || ' ' || n) $$;
  CREATE FUNCTION growth.event_id(w integer, n integer, number integer, at timestamptz) RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT growth.id(at, 'event ' || w || ' ' || n || ' ' || number) $$;
  CREATE FUNCTION growth.phone(w integer, k integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT '+614' || lpad((((w % 40000)::bigint * ${customersOfWorkshop} + k) * 7919 % 40000000)::text, 8, '0') $$;
  -- Eight characters of Crockford's base32, each number's another.
  CREATE FUNCTION growth.code(w integer, n integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT ${codeText} $$;
  -- A quarter of an hour of a working day in Melbourne, up to two weeks after the booking was made.
  CREATE FUNCTION growth.date_of(n integer) RETURNS timestamptz STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT date_trunc('day', growth.made(n), 'UTC') + (1 + n % 14) * interval '1 day' + interval '22 hours' + n * 7 % 36 * interval '15 minutes' $$;
  CREATE FUNCTION growth.status_of(n integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE WHEN n % 13 = 0 THEN 'cancelled' WHEN growth.date_of(n) < growth.loaded_at() THEN 'completed'
                WHEN n % 4 = 0 THEN 'pending' ELSE 'confirmed' END $$;
  CREATE FUNCTION growth.first_name(w integer, k integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT (ARRAY['Mary','John','Jose','Ana','Li','Priya','Tom','Zoe','Sam','Olga','Ahmed','Kim','Noah','Ruby','Max','Ella'])[1 + (k / 20 + w) % 16] $$;
  -- Every twentieth is a Smith; other names have syllables.
  CREATE FUNCTION growth.last_name(w integer, k integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE WHEN k % 20 = 0 THEN 'Smith' ELSE initcap(${syllable('k % 31 + w')} || ${syllable('k / 7 + w / 16')} || ${syllable('k / 113 + w / 7')}) END $$;
  CREATE FUNCTION growth.email(w integer, k integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT lower(growth.first_name(w, k) || '.' || growth.last_name(w, k)) || k || '@mail' || w % 50 || '.example' $$;
  CREATE FUNCTION growth.rego(w integer, k integer) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT upper(translate(substr(md5(w || ' ' || k), 1, 3), '0123456789', 'ghjkmnpqrs')) || lpad(((k * 37 + w) % 1000)::text, 3, '0') $$;`;
