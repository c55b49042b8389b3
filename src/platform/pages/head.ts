/** The head of a page for tabs, and for previews of its link in messages. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import { markPath } from './mark.ts';
import type { Shop, ShopLogo } from './shop.ts';

/** A wider or higher one could not be recognised at 16 pixels. */
const isSquarish = ({ width, height }: ShopLogo) => Math.max(width, height) <= 1.5 * Math.min(width, height);

/** The logo, or the mark. */
export function iconLink(shop: Pick<Shop, 'name' | 'logo'>, colour: string): SafeHtml {
  const { name, logo } = shop;
  if (logo !== null && isSquarish(logo)) return html`<link rel="icon" href="${logo.path}">`;
  return html`<link rel="icon" href="${markPath(name, colour)}" type="image/svg+xml">`;
}

/**
 * Open Graph. It shows the workshop's data alone, since a link of a booking is shown to whoever gets it. `publicUrl` is the service's
 * address; null: not known, then there is no picture, which must be named in whole.
 */
export function openGraph(title: string, shop: Shop, publicUrl: string | null): SafeHtml {
  const { name, address, phone, logo } = shop;
  const picture =
    logo === null || publicUrl === null
      ? {}
      : {
          'og:image': `${publicUrl}${logo.path}`,
          'og:image:width': String(logo.width),
          'og:image:height': String(logo.height),
          'og:image:alt': name,
        };
  const properties = {
    'og:type': 'website',
    'og:site_name': name,
    'og:title': `${title} · ${name}`,
    'og:description': [address, `Phone ${nationalPhone(phone)}`].filter(Boolean).join(' · '),
    ...picture,
  };
  return html`${Object.entries(properties).map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)}`;
}
