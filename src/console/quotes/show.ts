/** /console/w/{slug}/quotes/{id}: one quote, with its price or the form of one, with its messages and its trail. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { linkButton } from '#platform/pages/components.ts';
import { whyNoSms } from '#product/bookings/staff/telling.ts';
import { optOutBinds } from '#product/notifications/quote-preview.ts';
import { offerOf } from '#product/quotes/page/quote-page.ts';
import { findPageQuote } from '#product/quotes/page/store.ts';
import { readQuoteTelling } from '#product/quotes/staff/store.ts';
import { doneText } from '../bookings/done.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { saidList } from '../said/view.ts';
import { changesSince } from '../trail/since.ts';
import { trailOf } from '../trail/view.ts';
import { quoteFacts, quoteMark } from './facts.ts';
import { offeredTo } from './offered.ts';
import { followedByPage, isOffer, isOn, type OpenedQuote, openQuote } from './open.ts';
import { priceFormOf, priceRules, priceScripts } from './price-form.ts';

export const showQuote = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  quotePage(visit, await openQuote(visit), null);

/** `refused`: the price that was just refused, and why. */
export async function quotePage(
  visit: WorkshopVisit,
  opened: OpenedQuote,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { workshop, request } = visit;
  const { quote, beside } = opened;
  const isSent = request.method === 'POST';
  // The typed price is kept, even if the quote was answered meanwhile.
  const mayPrice = visit.may('wordTexts') && !beside.erased && (isOn(opened) || isSent);
  const [changes, form, offer, trail, said] = await Promise.all([
    changesSince(visit, quote.id, refused),
    mayPrice ? priceFormOf(visit, opened, refused) : null,
    quote.lines.length > 0 ? offerCard(visit, opened) : null,
    visit.may('seeTrail') ? trailOf(visit, quote.id) : null,
    isSent ? null : saidOf(visit, opened),
  ]);
  return {
    title: `Quote for ${quote.car.rego}`,
    current: 'Quotes',
    isWide: mayPrice,
    rules: priceRules,
    ...(mayPrice && { scripts: priceScripts }),
    ...(isSent ? {} : followedByPage(opened)),
    said,
    main: html`<div class="stack">${refusal(refused, changes)}
<div class="head"><h1>Quote for ${quote.car.rego} <span class="quiet">${beside.erased ? 'Erased' : nameShown(quote.customer.name, workshop)}</span></h1><p data-now>${quoteMark(quote.status)}</p></div>
${warnings(opened)}
<div class="columns"><div class="stack"><section class="card"><h2 class="unseen">The request</h2>${quoteFacts(visit, opened)}${ways(visit, opened)}</section></div><div class="stack">${offer ?? trail}</div></div>
${form}
${offer === null ? null : html`<div class="columns"><div class="stack"><section class="card"><h2>Notices</h2>${saidList(beside.said, workshop)}</section></div><div class="stack">${trail}</div></div>`}</div>`,
  };
}

/** The message about a completed change; a price that reaches nobody was not sent to the customer. */
async function saidOf({ context, query }: WorkshopVisit, { quote }: OpenedQuote): Promise<string | null> {
  const { done } = query;
  const text = doneText(done);
  if (done !== 'priced') return text;
  const telling = await readQuoteTelling(context.db, quote.id);
  const noSms = telling === null || whyNoSms(telling, optOutBinds) !== null;
  const noEmail = telling === null || telling.email === '' || telling.emailBounced;
  return noSms && noEmail ? 'Priced. No SMS and no e-mail reaches the customer: tell them yourself.' : text;
}

function warnings({ beside }: OpenedQuote): SafeHtml | null {
  if (beside.erased) return html`<p class="notice">The data of its customer were erased.</p>`;
  return beside.optedOut ? html`<p class="notice">The customer has opted out of SMS.</p>` : null;
}

/** The further actions on the quote. */
function ways(visit: WorkshopVisit, opened: OpenedQuote): SafeHtml | null {
  if (!visit.may('changeBookings') || !isOn(opened)) return null;
  const { path } = opened;
  return html`<p class="buttons">${isOffer(opened) ? linkButton('Accept by phone', `${path}/accept`) : null}${linkButton('Decline', `${path}/decline`, 'danger')}</p>`;
}

/** The price that it has, as the customer sees it. */
async function offerCard(visit: WorkshopVisit, { quote }: OpenedQuote): Promise<SafeHtml> {
  const opened = await findPageQuote(visit.context.db, quote.code);
  if (opened === null) return html``;
  const isOffered = quote.status === 'quoted';
  return html`<section class="card"><h2>${isOffered ? 'What they see now' : 'The price'}</h2>${offerOf({ quote: offeredTo(visit, quote), shop: opened.shop, isOffer: isOffered })}</section>`;
}
