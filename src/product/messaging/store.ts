/**
 * SQL of a partner's messages: creating one (every check, rate limit, customer, conversation, message and first
 * attempt in one statement), reading one, and the rate limit's table.
 */

import type { Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { actorColumns, actorIn, insertEvents } from '#platform/events/record.ts';
import { ensureCustomer } from '#product/customers/store.ts';
import { leaseInRequest } from '#product/sending/lease/store.ts';
import { askSkipsKind, optOutStopsKind } from '#product/sending/opt-out.ts';
import { attemptJson, messageJson } from '#product/sending/snapshot.ts';
import { type Gate, gateColumns, gateOpens, gatesCte } from '#product/workshops/access/store.ts';
import { gatewayOrderName } from '#product/workshops/store.ts';
import { type Named, namedColumns, namedCtes, namedJoins, namesTheirs } from './named/store.ts';
import { messageLimit } from './rules.ts';
import type { Message } from './schema.ts';

/**
 * The times in `old` that are in the window, oldest first. A time up to a second in the future counts: the database's clock may
 * have stepped back a little. A later one is ignored, or the person would be throttled until the clock reaches it.
 */
const recent = `SELECT at FROM unnest(old.passed) AS at
    WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second'`;

/**
 * CTE `passed`: a row (`workshop_id, rated_as, used`) for each request that the rate limit accepts, with the quota used in the last
 * second. Exact over all processes: one row holds a person's times and is locked while a request is decided, by the database's
 * clock. `source` is a CTE with `workshop_id, rated_as`, each person once; rows are locked in that order.
 */
export function passedCte(source: string): string {
  return `stamped AS (
    INSERT INTO message_rate AS old (workshop_id, person, passed)
    SELECT workshop_id, rated_as, ARRAY[clock_timestamp()] FROM ${source} ORDER BY workshop_id, rated_as
    ON CONFLICT (workshop_id, person) DO UPDATE
      SET passed = (SELECT stamps || greatest(clock_timestamp(), stamps[cardinality(stamps)])
                      FROM (SELECT ARRAY(${recent}) AS stamps) AS kept)
    WHERE (SELECT count(*) FROM (${recent}) AS counted) < ${messageLimit.quota}
    RETURNING workshop_id, person, passed),
  passed AS (SELECT workshop_id, person AS rated_as, cardinality(passed) AS used FROM stamped)`;
}

/** The columns that every call of the statement has, for every kind of message. */
export const messageColumns = {
  partnerId: 'uuid',
  workshopId: 'uuid',
  /** Null: the customer is named by `phone`. */
  customerId: 'uuid null',
  /** E.164; null when customerId is given. */
  phone: 'text null',
  bookingId: 'uuid null',
  templateId: 'uuid null',
  templateVersion: 'integer null',
  body: 'text',
  encoding: 'text',
  segments: 'integer',
  referenceId: 'text null',
  /** The installation's gateway. */
  gateway: 'text',
  messageId: 'uuid',
  attemptId: 'uuid',
  newConversationId: 'uuid',
  newCustomerId: 'uuid',
  now: 'timestamptz',
  ...actorColumns,
} as const;

export type CreateMessage = RowValues<typeof messageColumns>;

/**
 * The SQL that one kind of message adds to the statement. It may use `input`, and `recipient`: the recipient of each accepted call.
 */
export interface MessagePart {
  readonly kind: 'partnerMessage' | 'serviceReminder';
  /** The name of a customer who is created by the call: expressions over `input`. */
  readonly newName?: { readonly name: string; readonly firstName: string; readonly lastName: string };
  /** CTEs that write the kind's own rows, with a comma at the end. */
  readonly ctes: string;
  /** The message's cause: an expression over `input`. */
  readonly cause: string;
  /** A condition on `input` that selects the calls whose message is created. */
  readonly where: string;
}

const partnerMessage: MessagePart = { kind: 'partnerMessage', ctes: '', cause: 'NULL::uuid', where: 'true' };

/** True when the message of the referenceId was sent: its outcome is replayed, so booking and template are not checked. */
export interface SentBefore {
  readonly sentBefore: boolean;
}

/** CTE after `namedCtes`, `sent_before`: the calls of `gate` (with `reference_id`) whose referenceId has a sent message. */
export const sentBeforeCte = `sent_before AS MATERIALIZED (
      SELECT gate.ordinal FROM gate JOIN person ON person.ordinal = gate.ordinal
        JOIN message m ON m.partner_id = gate.partner_id AND m.workshop_id = gate.workshop_id AND m.customer_id = person.id
         AND m.reference_id = gate.reference_id
       WHERE m.state NOT IN ('sending', 'failed', 'unknown'))`;

/**
 * The statement over the CTE `input`. A batch may name one person by id in one call and by phone in another: only the first call
 * for each person is carried out, the others are `held`, and run again on their own.
 */
export function createMessageText(input: string, part = partnerMessage): string {
  const { name, firstName, lastName } = part.newName ?? {};
  const named = name
    ? { name: 'name', firstName: 'first_name', lastName: 'last_name', partnerId: 'partner_id' }
    : {};
  const nameColumns = name
    ? `, ${name} AS name, ${firstName} AS first_name, ${lastName} AS last_name, input.partner_id`
    : '';
  return `WITH ${input},
    ${gatesCte},
    ${namedCtes},
    ${sentBeforeCte},
    -- The second call of a batch to one customer is held: it needs the customer and the count that the first one makes.
    allowed AS (
      SELECT gate.ordinal, gate.workshop_id, person.id AS customer_id, coalesce(person.phone, gate.phone) AS phone,
             coalesce(person.rated_as, gate.phone) AS rated_as,
             CASE WHEN ${optOutStopsKind(part.kind, 'coalesce(person.opted_out, false)')} THEN 'optedOut'
               WHEN ${askSkipsKind(part.kind, 'person')} THEN 'mayHaveOptedOut' END AS stopped,
             row_number() OVER (PARTITION BY gate.workshop_id, coalesce(person.rated_as, gate.phone) ORDER BY gate.ordinal) > 1 AS held
        FROM gate ${namedJoins}
       WHERE ${gateOpens('messaging')} AND ${namesTheirs('EXISTS (SELECT FROM sent_before WHERE sent_before.ordinal = gate.ordinal)')}),
    open AS (SELECT *, clock_timestamp()::text AS asked_at FROM allowed WHERE NOT held),
    ${passedCte('open')},
    -- Within the rate limit.
    let_in AS (
      SELECT open.*, passed.used FROM open JOIN passed ON passed.workshop_id = open.workshop_id AND passed.rated_as = open.rated_as),
    -- In the order of their phones, so that two batches make customers in the same order.
    newcomer AS MATERIALIZED (
      SELECT let_in.workshop_id, let_in.phone, input.new_customer_id, input.now${nameColumns}
        FROM let_in JOIN input ON input.ordinal = let_in.ordinal WHERE let_in.customer_id IS NULL
        ORDER BY let_in.workshop_id, let_in.phone),
    made_customer AS (${ensureCustomer('newcomer', { newId: 'new_customer_id', phone: 'phone', now: 'now', ...named })}),
    recipient AS (
      SELECT let_in.ordinal, let_in.workshop_id, coalesce(let_in.customer_id, made_customer.id) AS customer_id, let_in.phone,
        let_in.stopped,
             let_in.asked_at, let_in.used
        FROM let_in LEFT JOIN made_customer ON made_customer.workshop_id = let_in.workshop_id AND made_customer.phone = let_in.phone),
    ${part.ctes}
    -- Their conversations, as far as there are some.
    known AS (
      SELECT r.ordinal, r.workshop_id, r.customer_id, v.id FROM recipient r
        LEFT JOIN conversation v ON v.workshop_id = r.workshop_id AND v.customer_id = r.customer_id),
    opened AS (
      INSERT INTO conversation (id, workshop_id, customer_id, created_at)
      SELECT input.new_conversation_id, known.workshop_id, known.customer_id, input.now
        FROM known JOIN input ON input.ordinal = known.ordinal WHERE known.id IS NULL ORDER BY known.customer_id
      ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING id, customer_id),
    -- The conversation, found or opened.
    talk AS (
      SELECT known.ordinal, coalesce(known.id, opened.id) AS id FROM known LEFT JOIN opened ON opened.customer_id = known.customer_id),
    -- A reference that was used makes no second message.
    taken AS (
      INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, booking_id, template_id, template_version,
        direction, kind,
        cause_id, recipient, body, encoding, segments, reference_id, state, reason, attempt_id, attempts, created_at, updated_at)
      SELECT input.message_id, r.workshop_id, talk.id, r.customer_id, input.partner_id, input.booking_id,
             input.template_id, input.template_version, 'outbound', '${part.kind}', ${part.cause}, r.phone, input.body,
             input.encoding, input.segments, input.reference_id,
             CASE WHEN r.stopped IS NULL THEN 'sending' ELSE 'failed' END, r.stopped,
             CASE WHEN r.stopped IS NULL THEN input.attempt_id END, CASE WHEN r.stopped IS NULL THEN 1 ELSE 0 END, input.now, input.now
        FROM recipient r JOIN talk ON talk.ordinal = r.ordinal JOIN input ON input.ordinal = r.ordinal
       WHERE ${part.where} ORDER BY r.ordinal
      ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
      RETURNING *),
    attempted AS (
      INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at, business_started_at)
      SELECT taken.attempt_id, taken.id, 1, ${gatewayOrderName('gate', 'gate.gateway')}, 'sending', clock_timestamp(), taken.created_at
        FROM taken JOIN gate ON gate.message_id = taken.id WHERE taken.attempt_id IS NOT NULL),
    leased AS (${leaseInRequest('taken', 'attempt_id IS NOT NULL')}),
    recorded AS (
      ${insertEvents({
        ...{
          from: `taken JOIN input ON input.message_id = taken.id WHERE taken.state = 'failed'`,
          row: 'taken',
        },
        ...{ kind: `'message.failed'`, payload: { message: messageJson('taken') }, at: 'taken.created_at' },
        by: actorIn('input'),
      })})
    SELECT gate.ordinal, coalesce(allowed.held, false) AS held, ${gateColumns},
           ${namedColumns}, sent_before.ordinal IS NOT NULL AS sent_before,
           recipient.used AS rate_used, recipient.customer_id, recipient.phone, recipient.asked_at AS requested_at,
           talk.id AS conversation_id, taken.id AS message_id, taken.state, taken.reason
      FROM gate ${namedJoins}
      LEFT JOIN sent_before ON sent_before.ordinal = gate.ordinal LEFT JOIN allowed ON allowed.ordinal = gate.ordinal
      LEFT JOIN recipient ON recipient.ordinal = gate.ordinal LEFT JOIN talk ON talk.ordinal = gate.ordinal
      LEFT JOIN taken ON taken.id = gate.message_id`;
}

export interface CreatedMessage extends Gate, Named, SentBefore {
  /** Accepted requests in the last second, including this one; null when this one is throttled. */
  rateUsed: number | null;
  customerId: string | null;
  phone: string | null;
  /** When the request came, by the database's clock. */
  requestedAt: string | null;
  conversationId: string | null;
  /** Null when a message with this referenceId exists already. */
  messageId: string | null;
  state: 'sending' | 'failed' | null;
  /** Why it failed at once; else null. */
  reason: 'optedOut' | 'mayHaveOptedOut' | null;
}

/** Calls for one person run in order of arrival. */
export const personOf = ({ workshopId, customerId, phone }: CreateMessage): string =>
  `${workshopId} ${customerId ?? phone}`.toLowerCase();

/**
 * Creates a message with its first attempt, unless a check fails; then nothing is written, and the first failed check in the row is
 * the refusal. Null when there is no such workshop. Concurrent calls share one statement; calls for one person run in order of
 * arrival.
 */
export const createMessage = gather<CreateMessage, CreatedMessage>({
  columns: messageColumns,
  build: ({ input }) => createMessageText(input),
  partnerOf: ({ partnerId }) => partnerId,
  keyOf: personOf,
});

/**
 * A message that the partner sent, with its attempts in order. Messages of a blast are excluded, since their text may contain
 * values that only the workshop may see.
 */
export async function readMessage(
  db: Queryable,
  partnerId: string,
  workshopId: string,
  messageId: string,
): Promise<Message | null> {
  const [row] = await db.query<{ message: Message }>(
    `SELECT ${messageJson('m')} || jsonb_build_object('attempts', coalesce(
              (SELECT jsonb_agg(${attemptJson('a')} ORDER BY a.number) FROM message_attempt a WHERE a.message_id = m.id), '[]')) AS message
       FROM message m WHERE m.id = $3 AND m.workshop_id = $2 AND m.partner_id = $1 AND m.direction = 'outbound' AND m.kind <> 'blast'`,
    [partnerId, workshopId, messageId],
  );
  return row?.message ?? null;
}

/** Deletes rate limit rows whose newest time is more than a minute from now, in the past or (after the clock was set back) in the future. */
export async function purgeRates(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM message_rate WHERE passed[cardinality(passed)] < (SELECT clock_timestamp() - interval '1 minute')
        OR passed[cardinality(passed)] > (SELECT clock_timestamp() + interval '1 minute')`,
  );
}
