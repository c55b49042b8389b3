/** The preview of a price: the customer's page and texts with the values of the form. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FieldError } from '#errors.ts';
import type { Form } from '#platform/pages/form.ts';
import { findPageWorkshop, type PageWorkshop } from '#product/customer-pages/store.ts';
import type { ChangePreview } from '#product/notifications/change-preview.ts';
import {
  codeToCome,
  type DraftPrice,
  type DraftQuote,
  previewNewQuote,
  previewPrice,
  quoteToBe,
} from '#product/notifications/quote-preview.ts';
import { offerOf } from '#product/quotes/page/quote-page.ts';
import { findPageQuote } from '#product/quotes/page/store.ts';
import { quoteUrl, readTerms, validUntilOf } from '#product/quotes/price.ts';
import type { Quote } from '#product/quotes/schema.ts';
import { isBoxChecked, type Told } from '../bookings/tell.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { ReadRows } from './draft.ts';
import { offeredTo } from './offered.ts';
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
  const { context, workshop } = visit;
  const { workshopId } = workshop;
  const price = draftPrice(visit, priced, form, quote);
  const [texts, opened] = await Promise.all([
    previewPrice(context, { workshopId, quoteId: quote.id, price }),
    findPageQuote(context.db, quote.code),
  ]);
  return shownAs(visit, texts, { ...quote, ...price }, opened?.shop ?? null);
}

/** Customer, car and work of a quote that is being written. */
export type Written = Omit<DraftQuote, 'workshopId' | 'price'>;

/** The same for one that is being written. */
export async function previewOfNew(
  visit: WorkshopVisit,
  written: Written,
  { priced }: Pick<ReadRows, 'priced'>,
  form: Form,
): Promise<Preview> {
  const { context, workshop } = visit;
  const { workshopId } = workshop;
  const price = draftPrice(visit, priced, form, { code: codeToCome });
  const draft = { ...written, workshopId, price };
  const [texts, shop] = await Promise.all([
    previewNewQuote(context, draft),
    findPageWorkshop(context.db, workshopId),
  ]);
  if (texts === null) throw new Error('a workshop that is open is gone');
  const { told, shown } = shownAs(visit, texts, quoteToBe(draft, context.clock.now()), shop);
  // The customer may be filled in after the preview.
  if (written.to.phone !== '') return { told: { ...told, isDraft: true }, shown };
  const toCome = { text: '', why: null, isOpen: true, opensOnce: 'there is a mobile number' };
  return { told: { ...told, ...toCome, isDraft: true }, shown };
}

function draftPrice(
  { context }: WorkshopVisit,
  priced: ReadRows['priced'],
  form: Form,
  quote: Pick<Quote, 'code'>,
): DraftPrice {
  const faults: FieldError[] = [];
  const typed = { validDays: form['validDays'] ?? '', message: form['message'] };
  const { days, message } = readTerms(typed, faults);
  const isShown = faults.every(({ field }) => field !== 'message');
  const until = Number.isInteger(days) && days >= 1 && days <= 365 ? days : null;
  return {
    ...{ lines: [...priced.lines], total: Number(priced.total), message: isShown ? message : null },
    validUntil: until === null ? null : validUntilOf(context.clock.now(), until).toISOString(),
    url: quoteUrl(context.config, quote),
  };
}

/** `shop`: null where the quote has no page. */
function shownAs(
  visit: WorkshopVisit,
  { sms, email }: ChangePreview,
  quote: Quote,
  shop: PageWorkshop | null,
): Preview {
  const { workshop, request } = visit;
  const isOpen = quote.lines.length === 0;
  // Lines and message are the form's, as somebody has typed them.
  const { lines, message } = quote;
  const offered = { ...offeredTo(visit, quote), lines, message, status: 'quoted' as const };
  return {
    told: {
      ...{ text: sms.text === null ? null : textShown(sms.text.parts.join(''), workshop), why: sms.none },
      ...{ hasEmail: email.text !== null, isOpen, opensOnce: 'there is a line with a price' },
      isChecked: request.method !== 'POST' || isBoxChecked(visit),
    },
    shown: html`<h3>Their page</h3>${isOpen || shop === null ? html`<p class="quiet">It shows here once there is a line with a price.</p>` : html`<div class="offer">${offerOf({ quote: offered, shop, isOffer: true })}</div>`}
${isOpen || email.text === null ? null : html`<details><summary>The e-mail</summary><p><strong>${email.text.subject}</strong></p><p class="message">${textShown(email.text.body, workshop)}</p><p class="quiet">With the lines, the total and a button to the page.</p></details>`}`,
  };
}
