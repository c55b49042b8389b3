/** Masks phones and e-mails for people who are not allowed to see them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nameWritten, nationalPhone, phoneIn } from '#base/values/phone.ts';
import { redactedContacts } from '#base/values/redacted-contacts.ts';
import { Problem } from '#errors.ts';
import { carInWords } from '#product/customers/records.ts';
import { notGiven } from './marks.ts';
import type { WorkshopVisit } from './visit.ts';

type Sees = Pick<WorkshopVisit['workshop'], 'seesPhones'>;

const masked = html`<span aria-label="hidden">••••••</span>`;

/** Throws 403 for people who may not see phones and e-mails, which `what` has: `an export`. */
export function requirePhones({ workshop }: WorkshopVisit, what: string): void {
  if (workshop.seesPhones) return;
  const message = `You do not see phones and e-mails, and ${what} has them. Another owner can change that`;
  throw new Problem('000003', { message });
}

/** A link that calls it, in the notation of its country. */
export function phoneLink(phone: string | null, { seesPhones }: Sees): SafeHtml | string {
  if (phone === null) return notGiven;
  return seesPhones ? html`<a href="tel:${phone}">${nationalPhone(phone)}</a>` : masked;
}

/** The value of a field, as somebody at the workshop types it; empty: none. */
export const phoneTyped = (
  phone: string | null,
  { country }: Pick<WorkshopVisit['workshop'], 'country'>,
): string => (phone === null ? '' : phoneIn(country, phone));

export function emailShown(email: string | null, { seesPhones }: Sees): SafeHtml | string {
  if (email === null || email === '') return notGiven;
  return seesPhones ? html`<bdi>${email}</bdi>` : masked;
}

/** A customer's name as text; somebody who has only texted has their number as a name, which is written as phones are. */
export const nameText = (name: string, { seesPhones }: Sees): string =>
  seesPhones ? nameWritten(name) : redactedContacts(name);

export function nameShown(name: string | null, sees: Sees): SafeHtml {
  if (name === null) return html`<span class="quiet">Name ${notGiven}</span>`;
  const shown = nameText(name, sees);
  return /[\p{L}\p{N}]/u.test(shown)
    ? html`<bdi>${shown}</bdi>`
    : html`<span class="quiet">Name hidden</span>`;
}

/** A text that people wrote, which may contain phones and e-mails. */
export const textShown = (text: string, { seesPhones }: Sees): string =>
  seesPhones ? text : redactedContacts(text);

/** `ABC123 2019 Toyota Corolla`; each of its texts is judged alone: `208` and `2019` beside one another are no number. */
export const carShown = (car: Parameters<typeof carInWords>[0], sees: Sees): string =>
  carInWords(car, (text) => textShown(text, sees));
