/** The second step: the day and the time. */
import { html } from '@remix-run/html-template';
import type { AvailabilityAnswer } from '#availability/schema.ts';
import { notice } from '#pages/components.ts';
import type { Page } from '#pages/layout.ts';
import { timePicker } from '#pages/time-picker.ts';
import { addDays, dateAt } from '#values/local-day.ts';
import { localDateTime } from '#values/local-time.ts';
import { timesNote } from '../times-note.ts';
import { bookSteps, summary } from './parts.ts';
import { hrefOf, type Visit, type Wanted } from './visit.ts';

/** Why a visitor is back at this step: the time is taken; what is free instead. */
export interface Taken {
  /** Instants as the API gives them. */
  readonly alternatives: readonly string[];
}

export function timePage(
  visit: Visit,
  wanted: Wanted,
  answer: AvailabilityAnswer,
  now: Date,
  taken: Taken | null = null,
): Page {
  const { shop, day } = visit;
  const today = dateAt(now.getTime(), shop.timezone);
  return {
    title: 'Choose a time',
    shop,
    aside: summary({ ...visit, time: null }),
    note: timesNote(shop),
    main: html`${bookSteps(visit, 1)}<h1>When can you bring it?</h1>
${taken ? takenNotice(visit, wanted, taken) : null}
${timePicker({
  days: answer.days,
  timezone: shop.timezone,
  day,
  today,
  lastDate: addDays(today, shop.horizonDays),
  hrefOf: (choice) => hrefOf(visit, wanted, choice),
})}`,
  };
}

function takenNotice(visit: Visit, wanted: Wanted, { alternatives }: Taken) {
  const { timezone } = visit.shop;
  const links = alternatives.map(
    (time) =>
      html`<li><a href="${hrefOf(visit, wanted, { time })}" data-swap>${localDateTime(new Date(time), timezone)}</a></li>`,
  );
  return notice(
    'bad',
    html`<p><strong>That time has just been taken.</strong> ${links.length > 0 ? 'These are free:' : 'Please choose another.'}</p>${links.length > 0 ? html`<ul>${links}</ul>` : null}`,
  );
}
