/** The second step: the day and the time. */
import { html } from '@remix-run/html-template';
import type { AvailabilityAnswer } from '#availability/schema.ts';
import type { Page } from '#pages/layout.ts';
import { timePicker } from '#pages/time-picker.ts';
import { addDays, dateAt } from '#values/local-day.ts';
import { type Alternatives, takenNotice } from '../taken.ts';
import { timesNote } from '../times-note.ts';
import { bookSteps, summary } from './parts.ts';
import { hrefOf, type Visit, type Wanted } from './visit.ts';

export function timePage(
  visit: Visit,
  wanted: Wanted,
  answer: AvailabilityAnswer,
  now: Date,
  taken: Alternatives | null = null,
): Page {
  const { shop, day } = visit;
  const today = dateAt(now.getTime(), shop.timezone);
  return {
    title: 'Choose a time',
    shop,
    aside: summary({ ...visit, time: null }),
    note: timesNote(shop),
    main: html`${bookSteps(visit, 1)}<h1>When can you bring it?</h1>
${taken ? takenNotice(taken, shop.timezone, (time) => hrefOf(visit, wanted, { time })) : null}
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
