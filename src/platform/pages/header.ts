/** The top of a workshop's page: its logo or mark, its name, its phone. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import { letterOf } from './mark.ts';
import type { Shop } from './shop.ts';

/** Beside a logo that is wider than this a phone has no room for the name: it stands below. */
const bannerRatio = 2;

export function headerOf({ name, phone, logo }: Shop): SafeHtml {
  const mark =
    logo === null
      ? html`<span class="mark" aria-hidden="true">${letterOf(name)}</span>`
      : html`<img class="logo" src="${logo.path}" width="${logo.width}" height="${logo.height}" alt="">`;
  const isBanner = logo !== null && logo.width > bannerRatio * logo.height;
  return html`<header class="${isBanner ? 'top banner' : 'top'}">${mark}<span class="name"><bdi>${name}</bdi></span><a class="call" href="tel:${phone}"><span class="wide">Call </span>${nationalPhone(phone)}</a></header>`;
}
