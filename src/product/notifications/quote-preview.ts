/**
 * Previews the SMS and the e-mail that the customer of a quote will get for a price, or the reason why none is sent. Nothing is
 * stored.
 */

import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { whyNoSms } from '#product/bookings/staff/telling.ts';
import type { Quote } from '#product/quotes/schema.ts';
import { readQuoteTelling } from '#product/quotes/staff/store.ts';
import { type ChangePreview, type NoNotice, none } from './change-preview.ts';
import { previewSms } from './preview.ts';
import { quoteSubject } from './quotes/subject.ts';
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
  const event = { ...present, eventId: quoteId, kind: 'quote.quoted', payload } as const;
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
const optOutBinds = { optOutExemptCountries: [] };
const quiet = { warn: () => undefined };
