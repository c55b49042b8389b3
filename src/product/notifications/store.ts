/** SQL of notices: their recipients and facts, read from events. The notices themselves are messages (`#sending`). */
import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { isWithheld } from '#platform/events/page-withholds.ts';
import type { Audience, Channel } from '#product/sending/kinds.ts';
import { carriedLogoJson } from '#product/workshops/logo/store.ts';
import { workshopJson } from '#product/workshops/store.ts';
import type { HandedOver, NoticeEvent } from './event.ts';

/** An event with the recipients of its notices. */
export interface ToldEvent<Payload = object> extends NoticeEvent<Payload> {
  readonly recipients: readonly {
    readonly audience: Audience;
    readonly channel: Channel;
    readonly recipient: string;
    /** The event comes from a page that has reached its limit: the notice is stored, and not sent. */
    readonly withheld: boolean;
  }[];
}

/** How the notices of one subject are read. */
export interface NoticeReads<Payload, Present> {
  /**
   * The events with recipients, in one statement. `ways` are those with a text, such as `customer sms`. Events without recipients
   * are left out.
   */
  told(
    tx: Queryable,
    eventIds: readonly string[],
    ways: readonly string[],
  ): Promise<readonly ToldEvent<Payload>[]>;
  /** Purged events are left out. */
  events(tx: Queryable, eventIds: readonly string[]): Promise<readonly NoticeEvent<Payload>[]>;
  /** Null when the event was purged. Concurrent hand-overs read their events in one round trip. */
  handedOver(db: Database, eventId: string, audience: Audience): Promise<HandedOver<Payload, Present> | null>;
  /** The payload that an event would have now; null: there is no such record. */
  now(db: Queryable, recordId: string): Promise<Omit<NoticeEvent<Payload>, 'eventId' | 'kind'> | null>;
}

export interface SubjectSql {
  /** The subject's name: the key of the record in the payload. */
  readonly name: string;
  /** A condition on an event row `e`: which events are notified. Absent: all. */
  readonly isTold?: string;
  /** A jsonb expression over an event row `e`: the data of its e-mail that is read at the hand-over. Absent: null. */
  readonly present?: string;
  /** The payload for the present record: an expression, and the FROM clause of its rows, with the record's as `r`. */
  readonly now: { readonly payload: string; readonly from: string };
}

/** A `NoticeWorkshop` of a row `w`. */
const noticeWorkshop = `${workshopJson}
    || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id))`;

const columns = `e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload, ${noticeWorkshop} AS workshop`;

/** Its own texts of notices. */
const templatesJson = `(
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
      FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox')`;

/** The workshop data that all its notices are rendered from; null: there is no such workshop. */
export async function readWorkshopTexts(
  db: Queryable,
  workshopId: string,
): Promise<Pick<NoticeEvent, 'workshop' | 'templates'> | null> {
  const [row] = await db.query<Pick<NoticeEvent, 'workshop' | 'templates'>>(
    `SELECT ${noticeWorkshop} AS workshop, ${templatesJson} AS templates FROM workshop w WHERE w.id = $1`,
    [workshopId],
  );
  return row ?? null;
}

const handedOverColumns = { eventId: 'uuid', audience: 'text' } as const;

/** The statements of a subject, built once. */
export function noticeReads<Payload, Present = null>({
  name,
  isTold = 'true',
  present = 'NULL',
  now,
}: SubjectSql): NoticeReads<Payload, Present> {
  const told = planOnce(`SELECT ${columns}, ${templatesJson} AS templates, told.recipients
      FROM event e JOIN workshop w ON w.id = e.workshop_id CROSS JOIN ${recipientsOf(name)}
     WHERE e.id = ANY($1::uuid[]) AND (${isTold}) AND told.recipients IS NOT NULL`);

  const events = planOnce(`SELECT ${columns}, ${templatesJson} AS templates
      FROM event e JOIN workshop w ON w.id = e.workshop_id WHERE e.id = ANY($1::uuid[])`);

  const handedOver = gather<RowValues<typeof handedOverColumns>, HandedOver<Payload, Present>>({
    columns: handedOverColumns,
    build: ({ input }) => `WITH ${input}
      SELECT input.ordinal, ${columns}, ${present} AS present,
             CASE WHEN input.audience = 'customer' THEN ${carriedLogoJson('w')} END AS logo
        FROM input JOIN event e ON e.id = input.event_id JOIN workshop w ON w.id = e.workshop_id`,
    partnerOf: () => '',
  });

  const current = `SELECT r.version, r.workshop_id, ${now.payload} AS payload, ${noticeWorkshop} AS workshop, ${templatesJson} AS templates
      FROM ${now.from} JOIN workshop w ON w.id = r.workshop_id WHERE r.id = $1`;

  return {
    told: (tx, eventIds, ways) => tx.query<ToldEvent<Payload>>(told, [eventIds, ways]),
    events: (tx, eventIds) => tx.query<NoticeEvent<Payload>>(events, [eventIds]),
    handedOver: (db, eventId, audience) => handedOver(db, { eventId, audience }),
    async now(db, recordId) {
      const [row] = await db.query<Omit<NoticeEvent<Payload>, 'eventId' | 'kind'>>(current, [recordId]);
      return row ?? null;
    },
  };
}

/**
 * The addresses of a workshop row `w` for notices, for the FROM clause: rows of `channel` and `recipient`. The conditions select
 * SMS and e-mail.
 */
export const workshopContacts = (w: string, bySms: string, byEmail: string): string => `(
           SELECT 'sms' AS channel, unnest(coalesce(${w}.notify_phones, ARRAY[${w}.phone])) AS recipient WHERE ${bySms}
            UNION SELECT 'email', unnest(coalesce(${w}.notify_emails, ARRAY[${w}.email])) WHERE ${byEmail}) AS contact`;

/**
 * The recipients of an event row `e` about the record `name` at a workshop row `w`, for the FROM clause: `told.recipients`, null
 * for none, each with whether its notice is withheld. `$2` are the ways with a text.
 */
function recipientsOf(name: string): string {
  const customer = `e.payload->'${name}'->'customer'`;
  const tellsWorkshop = `(e.payload->>'notifyWorkshop')::boolean`;
  return `LATERAL (
       SELECT jsonb_agg(jsonb_build_object('audience', audience, 'channel', channel, 'recipient', recipient,
           'withheld', ${isWithheld('e', 'audience', 'channel')})) AS recipients
       FROM (
         SELECT 'customer' AS audience, channel, recipient
           FROM (VALUES ('sms', ${customer}->>'phone'), ('email', ${customer}->>'email')) AS contact (channel, recipient)
          WHERE (e.payload->>'notifyCustomer')::boolean
         UNION SELECT 'workshop', channel, recipient FROM ${workshopContacts('w', tellsWorkshop, tellsWorkshop)}) AS addressed
       WHERE recipient <> '' AND audience || ' ' || channel = ANY($2::text[])) AS told`;
}
