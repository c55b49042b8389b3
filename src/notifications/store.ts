/** SQL of notices: their recipients and facts, read from events. The notices themselves are messages (`#sending`). */
import type { BookingEventPayload } from '#bookings/events.ts';
import type { Booking } from '#bookings/schema.ts';
import { bookingJson, minutesOf } from '#bookings/snapshot.ts';
import type { Database, Queryable } from '#db/database.ts';
import { gather } from '#db/gather.ts';
import type { RowValues } from '#db/parameters.ts';
import { planOnce } from '#db/plan-modes.ts';
import { isWithheld } from '#events/page-withholds.ts';
import type { Audience, Channel } from '#sending/kinds.ts';
import { workshopJson } from '#workshops/store.ts';
import type { NoticeWorkshop } from './notices.ts';

export interface NoticesOf {
  readonly eventIds: readonly string[];
  /** True: the workshop gets them too, not only the customer. */
  readonly workshop: boolean;
  /** Only for events that moved the booking to another date. */
  readonly newDateOnly: boolean;
}

export interface NoticeTemplate {
  /** Such as `bookingCreated.customer.sms`. */
  readonly purpose: string;
  readonly subject: string | null;
  readonly body: string;
  readonly id: string;
  readonly version: number;
}

/** An event with the recipients of its notices. */
export interface EventNotices {
  readonly eventId: string;
  readonly kind: string;
  readonly version: number;
  readonly workshopId: string;
  /** As the event left it. */
  readonly booking: BookingEventPayload['booking'];
  /** When it was before the event moved it; null: it did not. */
  readonly previousDate: string | null;
  readonly workshop: NoticeWorkshop;
  readonly recipients: readonly {
    readonly audience: Audience;
    readonly channel: Channel;
    readonly recipient: string;
    readonly withheld: boolean;
  }[];
  /** The workshop's own texts of its notices. */
  readonly templates: readonly NoticeTemplate[];
}

/** Its own texts of notices. */
export const templatesJson = `(SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
  FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox')`;

/**
 * The recipients of an event row `e` about a `subject` (`booking`, `quote`) of a workshop row `w`, for the FROM clause: `told.recipients`,
 * null for none, each with whether its notice is withheld. `withWorkshop` is an SQL condition.
 */
export function recipientsOf(subject: string, withWorkshop = 'true'): string {
  const customer = `e.payload->'${subject}'->'customer'`;
  const toWorkshop = `${withWorkshop} AND (e.payload->>'notifyWorkshop')::boolean`;
  return `LATERAL (
       SELECT jsonb_agg(jsonb_build_object('audience', audience, 'channel', channel, 'recipient', recipient,
           'withheld', ${isWithheld('e', 'audience', 'channel')})) AS recipients
       FROM (
         SELECT 'customer' AS audience, channel, recipient
         FROM (VALUES ('sms', ${customer}->>'phone'), ('email', ${customer}->>'email')) AS contact (channel, recipient)
         WHERE (e.payload->>'notifyCustomer')::boolean
         UNION SELECT 'workshop', 'sms', unnest(coalesce(w.notify_phones, ARRAY[w.phone])) WHERE ${toWorkshop}
         UNION SELECT 'workshop', 'email', unnest(coalesce(w.notify_emails, ARRAY[w.email])) WHERE ${toWorkshop}) AS addressed
       WHERE recipient <> '') AS told`;
}

/** The notices of booking events, with recipients from each event's payload. Events without recipients are left out. */
export async function readNotices(tx: Queryable, of: NoticesOf): Promise<EventNotices[]> {
  return tx.query<EventNotices>(
    planOnce(`SELECT e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload->'booking' AS booking, e.payload->>'previousDate' AS previous_date,
       ${workshopJson} AS workshop, told.recipients, ${templatesJson} AS templates
     FROM event e JOIN workshop w ON w.id = e.workshop_id CROSS JOIN ${recipientsOf('booking', '$2::boolean')}
     WHERE e.id = ANY($1::uuid[]) AND (NOT $3::boolean OR (e.payload->>'dateChanged')::boolean) AND told.recipients IS NOT NULL`),
    [of.eventIds, of.workshop, of.newDateOnly],
  );
}

/** What the notices of an event are made from, without their recipients. */
export interface NoticeEvent extends Omit<EventNotices, 'recipients'> {}

/** Purged events are left out. */
export async function readNoticeEvents(db: Queryable, eventIds: readonly string[]): Promise<NoticeEvent[]> {
  return db.query<NoticeEvent>(
    planOnce(`SELECT e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload->'booking' AS booking, e.payload->>'previousDate' AS previous_date,
       ${workshopJson} AS workshop, ${templatesJson} AS templates
     FROM event e JOIN workshop w ON w.id = e.workshop_id WHERE e.id = ANY($1::uuid[])`),
    [eventIds],
  );
}

/** What a queued e-mail is made from at its hand-over; its text is stored with the message. */
export interface NoticeFactsOfEvent extends Omit<NoticeEvent, 'templates'> {
  /** The code of the booking's manage link; null when it has none. */
  readonly manageCode: string | null;
  /** How long the booking's services take together, as it is now; 0: not known. */
  readonly minutes: number;
}

const factsColumns = { eventId: 'uuid' } as const;

const factsOfEvent = gather<RowValues<typeof factsColumns>, NoticeFactsOfEvent>({
  columns: factsColumns,
  build: ({ input }) => `WITH ${input}
    SELECT input.ordinal, e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload->'booking' AS booking, e.payload->>'previousDate' AS previous_date,
      ${workshopJson} AS workshop, (SELECT code FROM manage_link WHERE booking_id = e.subject_id) AS manage_code,
      coalesce((SELECT ${minutesOf('b')} FROM booking b WHERE b.id = e.subject_id), 0) AS minutes
    FROM input JOIN event e ON e.id = input.event_id JOIN workshop w ON w.id = e.workshop_id`,
  partnerOf: () => '',
});

/** Null when the event was purged. Concurrent hand-overs read their events in one round trip. */
export function findNoticeFacts(db: Database, eventId: string): Promise<NoticeFactsOfEvent | null> {
  return factsOfEvent(db, { eventId });
}

/** Null when the event was purged. */
export async function readNoticeEvent(db: Queryable, eventId: string): Promise<NoticeEvent | null> {
  const [event] = await readNoticeEvents(db, [eventId]);
  return event ?? null;
}

export interface NoticeBooking {
  readonly booking: Booking;
  readonly workshop: NoticeWorkshop;
  /** The workshop's own text; null when it uses the default. */
  readonly templateBody: string | null;
}

/** The booking as it is now. `notice` is the purpose of the workshop's template. */
export async function findNoticeBooking(
  db: Queryable,
  bookingId: string,
  notice: string,
): Promise<NoticeBooking | null> {
  const [row] = await db.query<NoticeBooking>(
    `SELECT ${bookingJson('b', 'c')} AS booking, t.body AS template_body,
            ${workshopJson} AS workshop
       FROM booking b JOIN car c ON c.id = b.car_id JOIN workshop w ON w.id = b.workshop_id
       LEFT JOIN template t ON t.workshop_id = w.id AND t.status = 'published' AND t.purpose = $2
      WHERE b.id = $1`,
    [bookingId, notice],
  );
  return row ?? null;
}
