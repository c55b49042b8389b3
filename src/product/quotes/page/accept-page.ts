/** /q/{code}/accept: the day and the time, then the confirmation. */
import { html } from '@remix-run/html-template';
import { dateAt } from '#base/values/local-day.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { button, buttons, facts, hidden, linkButton } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import type { Bookable } from '#platform/pages/month.ts';
import { bookingPolicies } from '#platform/pages/policies.ts';
import { amountText, taxed } from '#platform/pages/texts.ts';
import { type PickerChoice, timePicker } from '#platform/pages/time-picker.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import { takenNotice } from '#product/booking-page/taken.ts';
import { timesNote } from '#product/booking-page/times-note.ts';
import { type OpenedQuote, pathOf } from './open.ts';

const hrefOf = (opened: OpenedQuote, choice: Partial<PickerChoice>) =>
  `${pathOf(opened)}/accept?${new URLSearchParams({ ...choice })}`;

export interface TimeChoice extends Bookable {
  readonly days: readonly AvailabilityDay[];
  /** The month and the day that the visitor has requested. */
  readonly from: string | undefined;
  readonly day: string | undefined;
  /** The chosen time is not free: the next free ones, as the API returns instants. Null: nothing was chosen. */
  readonly alternatives: readonly string[] | null;
}

export function timePage(opened: OpenedQuote, { from, day, alternatives, ...shown }: TimeChoice): Page {
  const { shop } = opened;
  return {
    title: 'Choose a time',
    isRefusal: alternatives !== null,
    shop,
    note: timesNote(shop),
    main: html`<h1>When can you bring it?</h1>
${alternatives && takenNotice(alternatives, shop.timezone, (time) => hrefOf(opened, { time }))}
${timePicker({
  ...shown,
  ...{ timezone: shop.timezone, day, isAsked: (from ?? day) !== undefined },
  hrefOf: (choice) => hrefOf(opened, choice),
})}
${buttons(linkButton('Back to the quote', pathOf(opened), 'quiet'))}`,
  };
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
