/** /q/{code}/accept: the day and the time, then a last look before it is booked. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { AvailabilityAnswer } from '#availability/schema.ts';
import { button, buttons, facts, hidden, linkButton, notice } from '#pages/components.ts';
import type { Page } from '#pages/layout.ts';
import { bookingPolicies } from '#pages/policies.ts';
import { amountText, taxed } from '#pages/texts.ts';
import { type PickerChoice, timePicker } from '#pages/time-picker.ts';
import { addDays, dateAt } from '#values/local-day.ts';
import { localDateTime } from '#values/local-time.ts';
import { type OpenedQuote, pathOf } from './open.ts';
import type { QuoteShop } from './store.ts';

const timesNote = ({ name, timezone }: QuoteShop) =>
  `Times are those of ${name} (${timezone.split('/').at(-1)?.replaceAll('_', ' ')}).`;

const hrefOf = (opened: OpenedQuote, choice: Partial<PickerChoice>) =>
  `${pathOf(opened)}/accept?${new URLSearchParams({ ...choice })}`;

export interface TimeChoice {
  readonly answer: AvailabilityAnswer;
  /** The day that is looked at. */
  readonly day: string | undefined;
  readonly now: Date;
  /** The chosen time is not free: those that are, as the API gives instants. Null: nothing was chosen. */
  readonly alternatives: readonly string[] | null;
}

export function timePage(opened: OpenedQuote, { answer, day, now, alternatives }: TimeChoice): Page {
  const { shop } = opened;
  const today = dateAt(now.getTime(), shop.timezone);
  return {
    title: 'Choose a time',
    shop,
    note: timesNote(shop),
    main: html`<h1>When can you bring it?</h1>
${alternatives === null ? null : takenNotice(opened, alternatives)}
${timePicker({
  ...{ days: answer.days, timezone: shop.timezone, day, today },
  lastDate: addDays(today, shop.horizonDays),
  hrefOf: (choice) => hrefOf(opened, choice),
})}
${buttons(linkButton('Back to the quote', pathOf(opened), 'quiet'))}`,
  };
}

function takenNotice(opened: OpenedQuote, alternatives: readonly string[]): SafeHtml {
  const links = alternatives.map(
    (time) =>
      html`<li><a href="${hrefOf(opened, { time })}" data-swap>${localDateTime(new Date(time), opened.shop.timezone)}</a></li>`,
  );
  return notice(
    'bad',
    html`<p><strong>That time is not free any more.</strong> ${links.length > 0 ? 'These are free:' : 'Please choose another.'}</p>${links.length > 0 ? html`<ul>${links}</ul>` : null}`,
  );
}

export function confirmPage(opened: OpenedQuote, time: Date): Page {
  const { quote, shop } = opened;
  return {
    title: 'Accept the quote',
    shop,
    note: timesNote(shop),
    main: html`<h1>Accept and book?</h1>
${facts([
  ['When', localDateTime(time, shop.timezone)],
  [taxed('Total', shop.taxLabel), amountText(quote.total ?? 0, shop.country)],
  ['Car', quote.car.rego],
])}
<form method="post" action="${pathOf(opened)}/accept">${hidden('time', time.toISOString())}${hidden('version', String(opened.version))}${bookingPolicies(shop)}${buttons(button('Accept and book'), linkButton('Another time', hrefOf(opened, { from: dateAt(time.getTime(), shop.timezone) }), 'quiet'))}</form>`,
  };
}
