/** SQL of notices of quotes: their recipients and facts, read from events. */
import type { Booking } from '#bookings/schema.ts';
import type { Queryable } from '#db/database.ts';
import { planOnce } from '#db/plan-modes.ts';
import type { QuoteEventPayload } from '#quotes/events.ts';
import { workshopJson } from '#workshops/store.ts';
import type { NoticesOf } from '../messages.ts';
import type { NoticeWorkshop } from '../notices.ts';
import { type NoticeTemplate, recipientsOf, templatesJson } from '../store.ts';

/** What the notices of an event are made from. */
export interface QuoteEvent {
  readonly eventId: string;
  readonly kind: string;
  readonly version: number;
  readonly workshopId: string;
  /** As the event left it. */
  readonly quote: QuoteEventPayload['quote'];
  /** What accepting it made; null before. */
  readonly booking: Booking | null;
  readonly workshop: NoticeWorkshop;
  /** The workshop's own texts of its notices. */
  readonly templates: readonly NoticeTemplate[];
}

export interface QuoteNotices extends QuoteEvent, Pick<NoticesOf, 'recipients'> {}

const columns = `e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload->'quote' AS quote,
  e.payload->'booking' AS booking, ${workshopJson} AS workshop, ${templatesJson} AS templates`;

/** The notices of these events, with their recipients. Events without recipients are left out. */
export async function readQuoteNotices(tx: Queryable, eventIds: readonly string[]): Promise<QuoteNotices[]> {
  return tx.query<QuoteNotices>(
    planOnce(`SELECT ${columns}, told.recipients
       FROM event e JOIN workshop w ON w.id = e.workshop_id CROSS JOIN ${recipientsOf('quote')}
      WHERE e.id = ANY($1::uuid[]) AND told.recipients IS NOT NULL`),
    [eventIds],
  );
}

/** Null when the event was purged. */
export async function readQuoteEvent(db: Queryable, eventId: string): Promise<QuoteEvent | null> {
  const [event] = await db.query<QuoteEvent>(
    `SELECT ${columns} FROM event e JOIN workshop w ON w.id = e.workshop_id WHERE e.id = $1`,
    [eventId],
  );
  return event ?? null;
}
