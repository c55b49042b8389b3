/** The second step: the day and the time. */
import { html } from '@remix-run/html-template';
import type { Page } from '#platform/pages/layout.ts';
import { type Alternatives, chooseTime, type FreeTimes } from '#product/customer-pages/free-times.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
import { greeting } from '../greeting.ts';
import { bookSteps, summary } from './parts.ts';
import { hrefOf, type Visit, type Wanted } from './visit.ts';

/** `taken`: why the visitor is back. */
export function timePage(visit: Visit, wanted: Wanted, times: FreeTimes, taken: Alternatives | null): Page {
  const { shop } = visit;
  return {
    title: 'Choose a time',
    isRefusal: taken !== null,
    shop,
    aside: summary({ ...visit, wanted, time: null }),
    note: timesNote(shop),
    main: html`${bookSteps(visit, 1)}${greeting(visit.prefill)}<h1>When can you bring it?</h1>
${chooseTime(times, shop, taken, (choice) => hrefOf(visit, wanted, choice))}`,
  };
}
