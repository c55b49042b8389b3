/** Shared by the steps of the booking page: the list of steps, and the summary beside them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate, localTime } from '#base/values/local-time.ts';
import { facts, steps } from '#platform/pages/components.ts';
import { durationText, priceText, taxed } from '#platform/pages/texts.ts';
import { categoryLabels } from '#product/catalogue/categories.ts';
import type { DescribedService } from '#product/catalogue/store.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
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

/** The choices so far, and links for adding and removing services. */
export function summary(visit: Visit): SafeHtml {
  const { shop, wanted, time } = visit;
  const services = servicesOf(wanted);
  const minutes = services.reduce((sum, { durationMinutes }) => sum + (durationMinutes ?? 0), 0);
  const canAdd = !visit.isAdding && services.length > 0 && othersThan(wanted, visit).length > 0;
  return html`<h2 class="unseen">Your booking</h2>${chosen(visit, services)}${facts([
    ['Work', services.length > 1 ? null : workOf(wanted)],
    ['When', time === null ? null : dayAndTime(time, shop)],
    ['Takes about', minutes > 0 ? durationText(minutes) : null],
    ['Price', priceOf(services, shop)],
  ])}${canAdd ? html`<p class="more"><a href="${hrefOf(visit, wanted, { add: '' })}" data-swap>Add another service</a></p>` : null}`;
}

function workOf(wanted: Wanted | null): string | null {
  if (wanted === null) return null;
  return 'category' in wanted ? categoryLabels[wanted.category] : wanted.services[0].title;
}

/** Several services, each with a link that removes it. */
function chosen(visit: Visit, services: readonly DescribedService[]): SafeHtml | null {
  if (services.length < 2) return null;
  const items = services.map((service) => {
    const href = hrefOf(visit, withoutService(visit.wanted, service));
    return html`<li><bdi>${service.title}</bdi> <a href="${href}" data-swap aria-label="Remove ${service.title}">Remove</a></li>`;
  });
  return html`<ul class="chosen" aria-label="Work">${items}</ul>`;
}

/** The sum of all prices; null when one service has no price. */
function priceOf(
  services: readonly DescribedService[],
  { country, taxLabel }: Pick<PageWorkshop, 'country' | 'taxLabel'>,
): string | null {
  const sum = (of: (service: DescribedService) => number | null) =>
    services.reduce<number | null>((total, service) => {
      const each = of(service);
      return total === null || each === null ? null : total + each;
    }, 0);
  if (services.length === 0) return null;
  const price = priceText(
    sum(({ cost }) => cost),
    sum(({ cost, maxCost }) => maxCost ?? cost),
    country,
  );
  // On a phone the value is shown alone.
  return price === '' ? null : taxed(price, taxLabel);
}

export function dayAndTime(time: Date, { timezone }: Pick<PageWorkshop, 'timezone'>): string {
  // A time is never broken over two lines.
  return `${localDate(time, timezone)}, ${localTime(time, timezone).replaceAll(' ', '\u00a0')}`;
}
