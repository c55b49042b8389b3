/**
 * Previews the SMS and the e-mail that the customer of a quote will get for a price, or the reason why none is sent. Nothing is
 * stored.
 */

import { splitName } from '#base/values/person-name.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { whyNoSms } from '#product/bookings/staff/telling.ts';
import { customItem } from '#product/catalogue/item.ts';
import type { QuoteEventPayload } from '#product/quotes/events.ts';
import type { Quote } from '#product/quotes/schema.ts';
import { type QuoteTelling, readQuoteTelling } from '#product/quotes/staff/store.ts';
import { type ChangePreview, type NoNotice, none } from './change-preview.ts';
import type { NoticeEvent } from './event.ts';
import { previewSms } from './preview.ts';
import { quoteSubject } from './quotes/subject.ts';
import { readWorkshopTexts } from './store.ts';
import { textOfNotice } from './text.ts';

/** The fields of a quote that a price changes. */
export type DraftPrice = Pick<Quote, 'lines' | 'total' | 'message' | 'validUntil' | 'url'>;

/** Throws 404 050001 for a quote that is not the workshop's. */
export async function previewPrice(
  context: Pick<Context, 'db' | 'config'>,
  {
    workshopId,
    quoteId,
    price,
  }: { readonly workshopId: string; readonly quoteId: string; readonly price: DraftPrice },
): Promise<ChangePreview> {
  const { db } = context;
  const [present, telling] = await Promise.all([
    quoteSubject.reads.now(db, quoteId),
    readQuoteTelling(db, quoteId),
  ]);
  if (present === null || telling === null || present.workshopId !== workshopId) throw new Problem('050001');
  const quote: Quote = { ...present.payload.quote, ...price, status: 'quoted' };
  const payload = { ...present.payload, quote, notifyCustomer: true };
  return textsOf(context, { ...present, eventId: quoteId, kind: 'quote.quoted', payload }, telling);
}

/** The fields of a quote that is being written, of the workshop's own. */
export interface DraftQuote {
  readonly workshopId: string;
  readonly rego: string;
  /** Null: not given. */
  readonly make: string | null;
  readonly model: string | null;
  readonly name: string;
  /** Titles. */
  readonly services: readonly string[];
  readonly price: DraftPrice;
  readonly to: QuoteTelling;
}

/** Stands for the code, which is made with the quote. */
export const codeToCome = 'XXXXXXXXXX';

/** The quote as it would be made now. */
export function quoteToBe(draft: DraftQuote, now: Date): Quote {
  const { workshopId, rego, make, model, name, services, price, to } = draft;
  const at = now.toISOString();
  const unknown = { year: null, badge: null, vin: null };
  return {
    ...{ id: lowestId, code: codeToCome, workshopId, customerId: lowestId, carId: lowestId },
    ...{ bookingId: null, externalId: null, notes: null },
    car: { id: lowestId, customerId: lowestId, rego, make, model, ...unknown },
    customer: {
      ...{ id: lowestId, workshopId, name, ...splitName(name), email: to.email || null, phone: to.phone },
      ...{ company: null, address: null, postcode: null, suburb: null },
    },
    services: services.map((title) => customItem({ title })),
    ...price,
    ...{ status: 'quoted', createdAt: at, updatedAt: at },
  };
}

/** The same for a quote that is being written. Null: there is no such workshop. */
export async function previewNewQuote(
  context: Pick<Context, 'db' | 'config' | 'clock'>,
  draft: DraftQuote,
): Promise<ChangePreview | null> {
  const texts = await readWorkshopTexts(context.db, draft.workshopId);
  if (texts === null) return null;
  const quote = quoteToBe(draft, context.clock.now());
  const payload = { quote, notifyCustomer: true, notifyWorkshop: false };
  const { workshopId, to } = draft;
  return textsOf(
    context,
    { ...texts, workshopId, version: 1, eventId: lowestId, kind: 'quote.quoted', payload },
    to,
  );
}

async function textsOf(
  context: Pick<Context, 'db' | 'config'>,
  event: NoticeEvent<QuoteEventPayload>,
  telling: QuoteTelling,
): Promise<ChangePreview> {
  const noSms: NoNotice | null = whyNoSms(telling, optOutBinds);
  const noEmail: NoNotice | null = telling.email === '' ? 'noEmail' : telling.emailBounced ? 'bounced' : null;
  const email = textOfNotice(quoteSubject, event, { audience: 'customer', channel: 'email' }, quiet);
  return {
    sms:
      noSms === null
        ? { to: telling.phone, text: await previewSms(context, quoteSubject, event, toCustomer), none: null }
        : none(noSms),
    email:
      noEmail === null
        ? { to: telling.email, text: { subject: email.subject, body: email.body }, none: null }
        : none(noEmail),
  };
}

const toCustomer = { audience: 'customer', channel: 'sms' } as const;
/** An opt-out stops notices of quotes in every country. */
export const optOutBinds = { optOutExemptCountries: [] };
const quiet = { warn: () => undefined };
