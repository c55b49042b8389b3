/** What the steps of the booking page share: the steps themselves, and the summary beside them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { categoryLabels } from '#catalogue/categories.ts';
import type { Service } from '#catalogue/store.ts';
import { facts, steps } from '#pages/components.ts';
import { durationText, priceText } from '#pages/texts.ts';
import { localDate, localTime } from '#values/local-time.ts';
import type { PageWorkshop } from '../store.ts';
import { hrefOf, othersThan, servicesOf, type Visit, type Wanted, withoutService } from './visit.ts';

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

/** What has been chosen so far, and the ways to more and fewer services. */
export function summary(visit: Visit): SafeHtml {
  const { shop, wanted, time } = visit;
  const services = servicesOf(wanted);
  const minutes = services.reduce((sum, { durationMinutes }) => sum + (durationMinutes ?? 0), 0);
  const canAdd = services.length > 0 && othersThan(wanted, visit).length > 0;
  return html`<h2 class="unseen">Your booking</h2>${facts([
    ['Work', wanted && workOf(visit, wanted)],
    ['When', time === null ? null : dayAndTime(time, shop)],
    ['Takes about', minutes > 0 ? durationText(minutes) : null],
    ['Price', priceOf(services, shop)],
  ])}${wanted && canAdd ? html`<p class="more"><a href="${hrefOf(visit, wanted, { add: '' })}" data-swap>Add another service</a></p>` : null}`;
}

function workOf(visit: Visit, wanted: Wanted): SafeHtml | string {
  if ('category' in wanted) return categoryLabels[wanted.category];
  const { services } = wanted;
  if (services.length === 1) return services[0].title;
  const items = services.map((service) => {
    const href = hrefOf(visit, withoutService(wanted, service));
    return html`<li>${service.title} <a href="${href}" data-swap aria-label="Remove ${service.title}">Remove</a></li>`;
  });
  return html`<ul class="chosen">${items}</ul>`;
}

/** Of all of them together; empty when one has no price. */
function priceOf(services: readonly Service[], { country }: Pick<PageWorkshop, 'country'>): string {
  const sum = (of: (service: Service) => number | null) =>
    services.reduce<number | null>((total, service) => {
      const each = of(service);
      return total === null || each === null ? null : total + each;
    }, 0);
  if (services.length === 0) return '';
  return priceText(
    sum(({ cost }) => cost),
    sum(({ cost, maxCost }) => maxCost ?? cost),
    country,
  );
}

export function dayAndTime(time: Date, { timezone }: Pick<PageWorkshop, 'timezone'>): string {
  // The time stays on one line.
  return `${localDate(time, timezone)}, ${localTime(time, timezone).replaceAll(' ', '\u00a0')}`;
}
