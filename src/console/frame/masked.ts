/** Phones and e-mails for those who may not see them: masked wherever they would stand. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import { redactedContacts } from '#base/values/redacted-gateway-text.ts';
import { notGiven } from './marks.ts';
import type { WorkshopVisit } from './visit.ts';

type Sees = Pick<WorkshopVisit['workshop'], 'seesPhones'>;

const masked = html`<span aria-label="hidden">••••••</span>`;

/** A link that calls it, in the notation of its country. */
export function phoneLink(phone: string | null, { seesPhones }: Sees): SafeHtml | string {
  if (phone === null) return notGiven;
  return seesPhones ? html`<a href="tel:${phone}">${nationalPhone(phone)}</a>` : masked;
}

export function emailShown(email: string | null, { seesPhones }: Sees): SafeHtml | string {
  if (email === null || email === '') return notGiven;
  return seesPhones ? html`<bdi>${email}</bdi>` : masked;
}

/** What a customer is called; who has only texted is called by their number. */
export function nameShown(name: string | null, { seesPhones }: Sees): SafeHtml {
  if (name === null) return html`<span class="quiet">Name ${notGiven}</span>`;
  const shown = seesPhones ? name : redactedContacts(name);
  return /[\p{L}\p{N}]/u.test(shown)
    ? html`<bdi>${shown}</bdi>`
    : html`<span class="quiet">Name hidden</span>`;
}

/** A text that people wrote, which may hold either. */
export const textShown = (text: string, { seesPhones }: Sees): string =>
  seesPhones ? text : redactedContacts(text);
