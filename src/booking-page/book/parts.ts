/** What the steps of the booking page share: the steps themselves, and the summary beside them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { categoryLabels } from '#catalogue/categories.ts';
import { facts, steps } from '#pages/components.ts';
import { durationText, priceText, taxed } from '#pages/texts.ts';
import { localDate, localTime } from '#values/local-time.ts';
import type { PageWorkshop } from '../store.ts';
import { hrefOf, type Visit, type Wanted } from './visit.ts';

export function bookSteps(visit: Visit, current: 0 | 1 | 2): SafeHtml {
  const services = hrefOf(visit, null, { from: '' });
  return steps(
    [
      { label: 'Service', href: services },
      { label: 'Time', href: visit.wanted && hrefOf(visit, visit.wanted) },
      { label: 'Details', href: null },
    ],
    current,
  );
}

export function titleOf(wanted: Wanted): string {
  return 'service' in wanted ? wanted.service.title : categoryLabels[wanted.category];
}

/** What has been chosen so far. */
export function summary({ shop, wanted, time }: Visit): SafeHtml {
  const service = wanted !== null && 'service' in wanted ? wanted.service : null;
  const price = service ? priceText(service.cost, service.maxCost, shop.country) : '';
  return html`<h2 class="unseen">Your booking</h2>${facts([
    ['Work', wanted === null ? null : titleOf(wanted)],
    ['When', time === null ? null : dayAndTime(time, shop)],
    ['Takes about', service?.durationMinutes ? durationText(service.durationMinutes) : null],
    // On a phone the value stands alone.
    ['Price', price === '' ? null : taxed(price, shop.taxLabel)],
  ])}`;
}

export function dayAndTime(time: Date, { timezone }: Pick<PageWorkshop, 'timezone'>): string {
  // The time stays on one line.
  return `${localDate(time, timezone)}, ${localTime(time, timezone).replaceAll(' ', '\u00a0')}`;
}
