/** The second step: the day and the time. */
import { html } from '@remix-run/html-template';
import type { Page } from '#platform/pages/layout.ts';
import type { Bookable, PickerDay } from '#platform/pages/month.ts';
import { timePicker } from '#platform/pages/time-picker.ts';
import { greeting } from '../greeting.ts';
import { type Alternatives, takenNotice } from '../taken.ts';
import { timesNote } from '../times-note.ts';
import { bookSteps, summary } from './parts.ts';
import { hrefOf, type Visit, type Wanted } from './visit.ts';

export interface TimePage extends Bookable {
  readonly days: readonly PickerDay[];
  /** The visitor's time was taken since; null: it was not. */
  readonly taken: Alternatives | null;
}

export function timePage(visit: Visit, wanted: Wanted, { taken, ...shown }: TimePage): Page {
  const { shop, day, from } = visit;
  return {
    title: 'Choose a time',
    isRefusal: taken !== null,
    shop,
    aside: summary({ ...visit, wanted, time: null }),
    note: timesNote(shop),
    main: html`${bookSteps(visit, 1)}${greeting(visit.prefill)}<h1>When can you bring it?</h1>
${taken ? takenNotice(taken, shop.timezone, (time) => hrefOf(visit, wanted, { time })) : null}
${timePicker({
  ...shown,
  ...{ timezone: shop.timezone, day, isAsked: (day ?? from) !== undefined },
  hrefOf: (choice) => hrefOf(visit, wanted, choice),
})}`,
  };
}
