/** The preview of a price: the customer's page and texts with the values of the form. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FieldError } from '#errors.ts';
import type { Form } from '#platform/pages/form.ts';
import { type DraftPrice, previewPrice } from '#product/notifications/quote-preview.ts';
import { offerOf } from '#product/quotes/page/quote-page.ts';
import { findPageQuote } from '#product/quotes/page/store.ts';
import { quoteUrl, readTerms, validUntilOf } from '#product/quotes/price.ts';
import { isBoxChecked, type Told } from '../bookings/tell.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { ReadRows } from './draft.ts';
import type { OpenedQuote } from './open.ts';

export interface Preview {
  /** The value of the checkbox Tell the customer. */
  readonly told: Told;
  /** The customer's page, and the e-mail. */
  readonly shown: SafeHtml;
}

/** `form`: days and message as typed. Those that can't be stored count as none. */
export async function previewOf(
  visit: WorkshopVisit,
  { quote }: OpenedQuote,
  { priced }: Pick<ReadRows, 'priced'>,
  form: Form,
): Promise<Preview> {
  const { context, workshop, request } = visit;
  const { workshopId } = workshop;
  const faults: FieldError[] = [];
  const typed = { validDays: form['validDays'] ?? '', message: form['message'] };
  const { days, message } = readTerms(typed, faults);
  const isShown = faults.every(({ field }) => field !== 'message');
  const until = Number.isInteger(days) && days >= 1 && days <= 365 ? days : null;
  const price: DraftPrice = {
    ...{ lines: [...priced.lines], total: Number(priced.total), message: isShown ? message : null },
    validUntil: until === null ? null : validUntilOf(context.clock.now(), until).toISOString(),
    url: quoteUrl(context.config, quote),
  };
  const [{ sms, email }, opened] = await Promise.all([
    previewPrice(context, { workshopId, quoteId: quote.id, price }),
    findPageQuote(context.db, quote.code),
  ]);
  const isOpen = priced.lines.length === 0;
  const services = quote.services.map((item) => ({
    ...item,
    title: item.title === null ? null : textShown(item.title, workshop),
  }));
  const offered = { ...quote, ...price, services, status: 'quoted' as const };
  return {
    told: {
      ...{ text: sms.text === null ? null : textShown(sms.text.parts.join(''), workshop), why: sms.none },
      ...{ hasEmail: email.text !== null, isOpen, opensOnce: 'there is a line with a price' },
      isChecked: request.method !== 'POST' || isBoxChecked(visit),
    },
    shown: html`<h3>Their page</h3>${isOpen || opened === null ? html`<p class="quiet">It shows here once there is a line with a price.</p>` : html`<div class="offer">${offerOf({ quote: offered, shop: opened.shop, isOffer: true })}</div>`}
${isOpen || email.text === null ? null : html`<details><summary>The e-mail</summary><p><strong>${email.text.subject}</strong></p><p class="message">${textShown(email.text.body, workshop)}</p><p class="quiet">With the lines, the total and a button to the page.</p></details>`}`,
  };
}
