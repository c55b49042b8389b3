/** The footer of a workshop's page: its address, its hours, its privacy notice and terms. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import { hoursList } from './hours.ts';
import { policyLinks } from './policies.ts';
import { lookUpPath, type Shop } from './shop.ts';

const mapsUrl = (address: string) =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: address })}`;

/** A link to maps in a new tab, so that a half-filled form is not lost. */
export function addressLink(address: string): SafeHtml {
  return html`<a href="${mapsUrl(address)}" target="_blank" rel="noopener noreferrer">${address}<span class="unseen"> (map, in a new tab)</span></a>`;
}

export function footerOf(shop: Shop, note: string | null): SafeHtml {
  const { name, phone, address, hours } = shop;
  const links = policyLinks(shop);
  return html`<footer class="foot"><div class="about">
<section aria-label="Contact"><h2><bdi>${name}</bdi></h2>${address ? html`<p>${addressLink(address)}</p>` : null}<p><a href="tel:${phone}">${nationalPhone(phone)}</a></p><p><a href="${lookUpPath(shop)}">Find your booking</a></p></section>
${hours === null ? null : html`<section><h2>Opening hours</h2>${hoursList(hours)}</section>`}
</div>${links.length > 0 ? html`<p class="policies">${links.map((link) => html`${link} `)}</p>` : null}${note ? html`<p>${note}</p>` : null}</footer>`;
}
