/** /q/{code}/accept: the day and the time, then the confirmation. */
import { html } from '@remix-run/html-template';
import { carOnPage } from '#base/values/car-text.ts';
import { dateAt } from '#base/values/local-day.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { buttons, facts, linkButton } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { bookingPolicies } from '#platform/pages/policies.ts';
import { question } from '#platform/pages/question.ts';
import { amountText, taxed } from '#platform/pages/texts.ts';
import type { PickerChoice } from '#platform/pages/time-picker.ts';
import { type Alternatives, chooseTime, type FreeTimes } from '#product/customer-pages/free-times.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
import { type OpenedQuote, pathOf } from './open.ts';

const hrefOf = (opened: OpenedQuote, choice: Partial<PickerChoice>) =>
  `${pathOf(opened)}/accept?${new URLSearchParams({ ...choice })}`;

/** `taken`: why the visitor is back. */
export function timePage(opened: OpenedQuote, times: FreeTimes, taken: Alternatives | null): Page {
  const { shop } = opened;
  return {
    title: 'Choose a time',
    isRefusal: taken !== null,
    shop,
    note: timesNote(shop),
    main: html`<h1>When can you bring it?</h1>
${chooseTime(times, shop, taken, (choice) => hrefOf(opened, choice))}
${buttons(linkButton('Back to the quote', pathOf(opened), 'quiet'))}`,
  };
}

export function confirmPage(opened: OpenedQuote, time: Date): Page {
  const { quote, shop, version } = opened;
  const from = dateAt(time.getTime(), shop.timezone);
  return {
    title: 'Accept the quote',
    shop,
    note: timesNote(shop),
    main: html`<h1>Accept and book?</h1>
${facts([
  ['When', localDateTime(time, shop.timezone)],
  [taxed('Total', shop.taxLabel), amountText(quote.total ?? 0, shop.country)],
  ['Car', carOnPage(quote.car)],
])}
${question({
  action: `${pathOf(opened)}/accept`,
  sent: { time, version },
  about: bookingPolicies(shop),
  yes: 'Accept and book',
  no: { label: 'Choose another time', href: hrefOf(opened, { from }) },
})}`,
  };
}
