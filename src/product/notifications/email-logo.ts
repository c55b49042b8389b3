/** A workshop's logo at the head of an e-mail: a part of the e-mail itself, since nothing is loaded from outside. */
import type { Accent } from '#platform/pages/colour.ts';
import { isBanner } from '#platform/pages/shop.ts';
import type { CarriedLogo } from '#product/workshops/logo/store.ts';

/** The bounds of what is shown, in pixels of the page; a logo is never made larger. */
const atMost = { width: 240, height: 56 };

/** The Content-ID of its part. */
export const logoCid = ({ digest }: Pick<CarriedLogo, 'digest'>): string => `${digest}@logo.pitlane`;

/**
 * On white in a dark mail program too, since many logos are dark on nothing. `name` is HTML. Beside a logo that is no banner stands the
 * name, hidden from screen readers, which read it once. Where pictures are not shown the name is there all the same.
 */
export function logoBand(logo: CarriedLogo, name: string, { fill, text }: Accent): string {
  const alone = picture(logo, name, text);
  const cell =
    'vertical-align:middle;font-weight:600;color:#16202e;overflow-wrap:anywhere;word-break:break-word';
  const shown = isBanner(logo)
    ? alone
    : `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td>${alone}</td><td aria-hidden="true" style="padding-left:14px;${cell}">${name}</td></tr></table>`;
  return `<div style="padding:16px 24px;background:#ffffff;border-top:4px solid ${fill}">${shown}</div>`;
}

/** Outlook for Windows goes by the attributes of size, and knows no `max-width`. */
function picture(logo: CarriedLogo, name: string, colour: string): string {
  const scale = Math.min(1, atMost.width / logo.width, atMost.height / logo.height);
  const [width, height] = [logo.width, logo.height].map((side) => Math.max(1, Math.round(side * scale)));
  return `<img src="cid:${logoCid(logo)}" width="${width}" height="${height}" alt="${name}" style="display:block;border:0;max-width:100%;height:auto;color:${colour};font-weight:600">`;
}
