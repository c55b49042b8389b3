/** The top of a workshop's page: its logo or mark, its name, its phone. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import { letterOf } from './mark.ts';
import { isBanner, type Shop } from './shop.ts';

export function headerOf({ name, phone, logo }: Shop): SafeHtml {
  const mark =
    logo === null
      ? html`<span class="mark" aria-hidden="true">${letterOf(name)}</span>`
      : html`<img class="logo" src="${logo.path}" width="${logo.width}" height="${logo.height}" alt="">`;
  return html`<header class="${logo !== null && isBanner(logo) ? 'top banner' : 'top'}">${mark}<span class="name"><bdi>${name}</bdi></span><a class="call" href="tel:${phone}"><span class="wide">Call </span>${nationalPhone(phone)}</a></header>`;
}
