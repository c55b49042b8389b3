/** /q/{code}: a quote for anybody who has its link: without phone, e-mail, full name and notes. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { carOnPage } from '#base/values/car-text.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { button, buttons, facts, linkButton, type NoticeKind, notice } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { question } from '#platform/pages/question.ts';
import { amountText, taxed } from '#platform/pages/texts.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
import { mayAskAgain } from './ask-again.ts';
import { type OpenedQuote, pathOf } from './open.ts';

/** The links of the page: to the booking that the acceptance made, or, from a finished quote, to a booking without it. */
export interface Ways {
  readonly booking: string | null;
  readonly again: string | null;
}

/** The parts of an opened quote that its offer is rendered from. */
type Offered = Pick<OpenedQuote, 'quote' | 'shop' | 'isOffer'>;

/** `isNews`: the visitor answered another price than this one. */
export function quotePage(opened: OpenedQuote, { booking, again }: Ways, isNews = false): Page {
  const { quote, shop, isOffer, isOpen } = opened;
  const mayAnswer = isOffer && isOpen;
  const [kind, text] =
    isNews && isOffer
      ? (['bad', 'The workshop has changed its offer. Please look at it again.'] as const)
      : statusOf(opened);
  return {
    title: 'Your quote',
    isRefusal: isNews && isOffer,
    state: [opened.version, quote.status, isOpen, opened.bookedFor].join(' '),
    shop,
    note: timesNote(shop),
    main: html`${quote.status === 'accepted' ? html`<span class="tick" aria-hidden="true">✓</span>` : null}
<h1>${quote.status === 'accepted' ? 'You have accepted this quote' : 'Your quote'}</h1>
${text === '' ? null : notice(kind, html`<p>${text}</p>`)}
${offerOf(opened)}
${
  mayAnswer
    ? buttons(
        linkButton('Accept and choose a time', `${pathOf(opened)}/accept`),
        linkButton('Decline', `${pathOf(opened)}/decline`, 'quiet'),
      )
    : null
}
${booking === null ? null : buttons(linkButton('See your booking', booking))}
${mayAskAgain(opened) ? html`<form method="post" action="${pathOf(opened)}/again">${buttons(button('Ask for a new quote'))}</form>` : null}
${again === null ? null : buttons(linkButton('Book a time without a quote', again, mayAskAgain(opened) ? 'quiet' : 'primary'))}`,
  };
}

/** The offer: the workshop's message, the lines and the facts. The workshop sees the same before it sends them. */
export function offerOf(offered: Offered): SafeHtml {
  const { quote, isOffer } = offered;
  return html`${isOffer && quote.message !== null ? html`<p class="message">${quote.message}</p>` : null}
${quote.lines.length > 0 ? linesTable(offered) : null}
${quoteFacts(offered)}`;
}

function statusOf({ quote, shop, isOffer, isOpen, bookedFor }: OpenedQuote): readonly [NoticeKind, string] {
  switch (quote.status) {
    case 'requested':
      return ['info', 'The workshop has your request. Once it has a price, you get a message.'];
    case 'accepted':
      return [
        'good',
        bookedFor === null ? '' : `Booked for ${localDateTime(new Date(bookedFor), shop.timezone)}.`,
      ];
    case 'declined':
      return ['info', 'This quote was declined.'];
    case 'expired':
      return ['bad', 'This quote has ended.'];
    default:
      return isOffer && !isOpen
        ? ['bad', 'It can’t be answered here any more. Please call the workshop.']
        : ['info', ''];
  }
}

function linesTable({ quote, shop }: Offered): SafeHtml {
  const amount = (value: number) => amountText(value, shop.country);
  const rows = quote.lines.map(
    ({ title, quantity, unitPrice, total }) =>
      html`<tr><th scope="row">${title}${quantity === 1 ? null : html`<span class="quiet"> ${quantity} × ${amount(unitPrice)}</span>`}</th><td>${amount(total)}</td></tr>`,
  );
  return html`<table class="lines"><caption class="unseen">What it consists of</caption><thead class="unseen"><tr><th scope="col">Work</th><th scope="col">Price</th></tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row">${taxed('Total', shop.taxLabel)}</th><td>${amount(quote.total ?? 0)}</td></tr></tfoot></table>`;
}

/** The facts of a quote without personal data. */
function quoteFacts({ quote, shop, isOffer }: Offered): SafeHtml {
  const until =
    isOffer && quote.validUntil !== null ? localDateTime(new Date(quote.validUntil), shop.timezone) : null;
  return facts([
    ['Valid until', until],
    ['Asked for', titlesOf(quote.services).join(', ')],
    ['Car', carOnPage(quote.car)],
    ['Quote', html`<span class="code">${quote.code}</span>`],
  ]);
}

/** Asks for confirmation before a quote is declined. */
export function declinePage(opened: OpenedQuote): Page {
  const { quote, shop, version } = opened;
  return {
    title: 'Decline the quote',
    shop,
    note: timesNote(shop),
    main: html`<h1>Decline this quote?</h1>
<p>${shop.name} offered ${amountText(quote.total ?? 0, shop.country)} for ${carOnPage(quote.car)}. It can’t be accepted afterwards.</p>
${question({
  action: `${pathOf(opened)}/decline`,
  sent: { version },
  yes: 'Decline the quote',
  isDangerous: true,
  no: { label: 'Back', href: pathOf(opened) },
})}`,
  };
}
