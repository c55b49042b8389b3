/** The first step: the services. */
import { html } from '@remix-run/html-template';
import { buttons, linkButton, type Row, rows } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { durationText, priceText, taxed } from '#platform/pages/texts.ts';
import { categoryLabels, serviceCategories } from '#product/catalogue/categories.ts';
import type { DescribedService } from '#product/catalogue/store.ts';
import { greeting } from '../greeting.ts';
import { bookSteps, summary } from './parts.ts';
import { hrefOf, othersThan, type Visit, withService } from './visit.ts';

export function servicePage(visit: Visit): Page {
  const { shop, wanted, services } = visit;
  const offered = othersThan(wanted, visit);
  const groups = serviceCategories
    .map((category) => ({
      label: categoryLabels[category],
      offered: offered.filter((service) => service.category === category),
    }))
    .filter((group) => group.offered.length > 0);
  const catalogue = groups.map(
    (group) =>
      html`<section class="group"><h2>${group.label}</h2>${rows(group.offered.map((service) => rowOf(visit, service)))}</section>`,
  );
  if (wanted !== null)
    return {
      title: 'Add a service',
      shop,
      aside: summary({ ...visit, time: null }),
      main: html`${bookSteps(visit, 0)}<h1>What else can we do?</h1>
${buttons(linkButton('Nothing else: choose a time', hrefOf(visit, wanted), 'quiet'))}${catalogue}`,
    };
  const isPlain = services.length === 0;
  return {
    title: 'Book',
    shop,
    main: html`${bookSteps(visit, 0)}${greeting(visit.prefill)}<h1>What can we do for your car?</h1>${catalogue}
<section class="group">${isPlain ? null : html`<h2>Not sure?</h2>`}${rows(isPlain ? categoryRows(visit) : [somethingElse(visit)])}</section>${services.some(({ cost, maxCost }) => cost !== null || maxCost !== null) && shop.taxLabel !== null ? html`<p class="hint">${taxed('Prices', shop.taxLabel)}.</p>` : null}`,
  };
}

function rowOf(visit: Visit, service: DescribedService): Row {
  const { title, cost, maxCost, durationMinutes, description } = service;
  return {
    href: hrefOf(visit, withService(visit.wanted, service)),
    title,
    detail: durationMinutes === null ? '' : `About ${durationText(durationMinutes)}`,
    value: priceText(cost, maxCost, visit.shop.country),
    about: description,
  };
}

const somethingElse = (visit: Visit): Row => ({
  href: hrefOf(visit, { category: 'others' }),
  title: 'Something else',
  detail: 'Describe it in the last step',
  value: '',
});

/** For a workshop without a catalogue. */
const categoryRows = (visit: Visit): Row[] =>
  serviceCategories.map((category) => ({
    href: hrefOf(visit, { category }),
    title: categoryLabels[category],
    detail: '',
    value: '',
  }));
