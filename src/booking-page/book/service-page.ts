/** The first step: what is to be done. */
import { html } from '@remix-run/html-template';
import { categoryLabels, serviceCategories } from '#catalogue/categories.ts';
import type { DescribedService } from '#catalogue/store.ts';
import { type Row, rows } from '#pages/components.ts';
import type { Page } from '#pages/layout.ts';
import { durationText, priceText, taxed } from '#pages/texts.ts';
import { bookSteps } from './parts.ts';
import { hrefOf, type Visit } from './visit.ts';

export function servicePage(visit: Visit): Page {
  const { shop, services } = visit;
  const groups = serviceCategories
    .map((category) => ({
      label: categoryLabels[category],
      offered: services.filter((service) => service.category === category),
    }))
    .filter(({ offered }) => offered.length > 0);
  const isPlain = groups.length === 0;
  return {
    title: 'Book',
    shop,
    main: html`${bookSteps(visit, 0)}<h1>What can we do for your car?</h1>
${groups.map(({ label, offered }) => html`<section class="group"><h2>${label}</h2>${rows(offered.map((service) => rowOf(visit, service)))}</section>`)}
<section class="group">${isPlain ? null : html`<h2>Not sure?</h2>`}${rows(isPlain ? categoryRows(visit) : [somethingElse(visit)])}</section>${services.some(({ cost, maxCost }) => cost !== null || maxCost !== null) && shop.taxLabel !== null ? html`<p class="hint">${taxed('Prices', shop.taxLabel)}.</p>` : null}`,
  };
}

function rowOf(visit: Visit, service: DescribedService): Row {
  const { title, cost, maxCost, durationMinutes, description } = service;
  return {
    href: hrefOf(visit, { service }),
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

/** Of a workshop without a catalogue. */
const categoryRows = (visit: Visit): Row[] =>
  serviceCategories.map((category) => ({
    href: hrefOf(visit, { category }),
    title: categoryLabels[category],
    detail: '',
    value: '',
  }));
