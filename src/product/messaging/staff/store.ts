/** SQL of the workshop's own SMS: their recipients, and the rate limit, which they share with partners' messages. */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { numberOfApart } from '#product/customers/apart/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { ratedAs } from '../named/store.ts';
import { passedCte } from '../store.ts';
import type { Texted } from './ground.ts';
import type { Addressee } from './sms.ts';

const letInText = `WITH asked AS (
    SELECT workshop_id, rated_as FROM customer c CROSS JOIN LATERAL (
       SELECT coalesce(${ratedAs('c')}, ${numberOfApart('c.id')}) AS rated_as) AS its
     WHERE c.id = $2::uuid AND c.workshop_id = $1::uuid AND rated_as IS NOT NULL),
    ${passedCte('asked')} SELECT used FROM passed`;

/** Counts one more SMS to this customer, who has a phone, within the second; false when the limit is exceeded. */
export async function isLetIn(tx: Queryable, workshopId: string, customerId: string): Promise<boolean> {
  return (await tx.query(letInText, [workshopId, customerId])).length > 0;
}

/**
 * The customer of the workshop with this id, or null. A merged customer without a phone is reached by the number of another row, one
 * apart by the number that they were booked with.
 */
export async function findAddressee(
  db: Queryable,
  workshopId: string,
  customerId: string,
): Promise<Addressee | null> {
  const [found] = await db.query<Addressee>(
    `SELECT workshop_id, id AS customer_id, coalesce(phone, ${numberOfApart('customer.id')}) AS phone,
            opted_out_at IS NOT NULL AS opted_out, erased_at IS NOT NULL AS is_erased
       FROM customer WHERE id = ANY (${idsOf('$2::uuid')}) AND workshop_id = $1
      ORDER BY phone IS NULL, id <> $2, id LIMIT 1`,
    [workshopId, customerId],
  );
  return found ?? null;
}

export interface KnownGround {
  /** The workshop's; ISO 3166. */
  readonly country: string;
  /** The customer has a booking. */
  readonly booked: boolean;
  /** An SMS was sent to this number, or came from it. */
  readonly texted: boolean;
  /** The customer has written or booked from this number. */
  readonly reachedUs: boolean;
  /** Stored with the first text; null: none was required. */
  readonly reason: string | null;
  readonly abroadAllowed: boolean;
}

/** An SQL condition: this customer has written or booked from this number. */
const reachedUs = (customerId: string, phone: string) =>
  `(EXISTS (SELECT FROM booking WHERE customer_id = ${customerId} AND contact_phone = ${phone})
              OR EXISTS (SELECT FROM message WHERE customer_id = ${customerId} AND direction = 'inbound' AND recipient = ${phone}))`;

/** Why a number may be texted; read by the customer's indexes. */
export async function readGround(
  tx: Queryable,
  { workshopId, customerId, phone }: Texted,
): Promise<KnownGround> {
  const [row] = await tx.query<KnownGround>(
    `SELECT w.country, EXISTS (SELECT FROM booking WHERE customer_id = $2) AS booked,
            EXISTS (SELECT FROM message WHERE customer_id = $2 AND channel = 'sms' AND recipient = $3) AS texted,
            ${reachedUs('$2', '$3')} AS reached_us,
            g.reason, coalesce(g.abroad_allowed, false) AS abroad_allowed
       FROM workshop w LEFT JOIN texting_ground g ON g.workshop_id = w.id AND g.phone = $3
      WHERE w.id = $1`,
    [workshopId, customerId, phone],
  );
  if (row === undefined) throw new Error('a customer has no workshop');
  return row;
}

/** A customer's number, E.164. */
export interface CustomersNumber {
  readonly customerId: string;
  readonly phone: string;
}

/** Reads which of these customers may be texted although their number is of another country. */
export async function findAllowedAbroad(
  db: Queryable,
  workshopId: string,
  numbers: readonly CustomersNumber[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ customerId: string }>(
    `SELECT given.customer_id FROM jsonb_to_recordset($2::jsonb) AS given (customer_id uuid, phone text)
      WHERE ${reachedUs('given.customer_id', 'given.phone')}
         OR EXISTS (SELECT FROM texting_ground g WHERE g.workshop_id = $1 AND g.phone = given.phone AND g.abroad_allowed)`,
    [workshopId, recordset(numbers)],
  );
  return new Set(rows.map(({ customerId }) => customerId));
}

export interface KeptGround extends Texted {
  readonly reason: string | null;
  readonly abroadAllowed: boolean;
  /** As `storedActor` returns it. */
  readonly actor: string;
  readonly at: Date;
}

/** Keeps a stored reason and a stored permission; adds missing ones. */
export async function keepGround(tx: Queryable, ground: KeptGround): Promise<void> {
  const { workshopId, phone, customerId, reason, abroadAllowed, actor, at } = ground;
  await tx.query(
    `INSERT INTO texting_ground AS kept (workshop_id, phone, customer_id, reason, abroad_allowed, actor, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (workshop_id, phone) DO UPDATE SET customer_id = excluded.customer_id,
       reason = coalesce(kept.reason, excluded.reason), abroad_allowed = kept.abroad_allowed OR excluded.abroad_allowed,
       actor = excluded.actor, at = excluded.at`,
    [workshopId, phone, customerId, reason, abroadAllowed, actor, at],
  );
}
