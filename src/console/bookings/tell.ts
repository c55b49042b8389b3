/** The text that a change would send to its customer, shown before it is made. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { parsePhone } from '#base/values/phone.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import type { Form } from '#platform/pages/form.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import {
  type NoNotice,
  noNoticeInWords,
  previewChange,
  type StaffChange,
} from '#product/notifications/change-preview.ts';
import { previewNewBooking } from '#product/notifications/new-booking-preview.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { contactOf } from './prefill.ts';
import { typedServicesOf } from './service-fields.ts';
import type { When } from './when.ts';

export interface Told {
  /** The SMS; null: none goes. */
  readonly text: string | null;
  /** Why none goes. */
  readonly why: NoNotice | null;
  /** An e-mail goes too. */
  readonly hasEmail: boolean;
  /** False: whoever sent the form has unchecked the box. */
  readonly isChecked?: boolean;
  /** It is being written: whom it is for may be filled in after this was shown, so it is asked in any case. */
  readonly isDraft?: boolean;
  /** There is a text, but not yet what it says: the new time has not been chosen. */
  readonly isOpen?: boolean;
  /** Until when that is so, in words. */
  readonly opensOnce?: string;
}

export async function toldOf(
  { context, workshop }: WorkshopVisit,
  { id: bookingId }: WorkshopBooking,
  change: StaffChange,
): Promise<Told> {
  const { workshopId } = workshop;
  const { sms, email } = await previewChange(context, { workshopId, bookingId, change });
  return {
    text: sms.text === null ? null : textShown(sms.text.parts.join(''), workshop),
    why: sms.none,
    hasEmail: email.text !== null,
  };
}

/** Of a booking that is being written: as far as it is filled in. */
export async function toldOfNew(visit: WorkshopVisit, form: Form, when: When): Promise<Told> {
  const { context, workshop, form: sent } = visit;
  const { workshopId, country, timezone } = workshop;
  const contact = await contactOf(visit, form);
  const phone = contact.phone ? parsePhone(contact.phone, country) : null;
  const asked = { hasEmail: contact.email !== '', isDraft: true, isChecked: isUnsent(sent) || isTold(sent) };
  if (phone === null) return { text: null, why: 'noPhone', ...asked };
  const date = parseTypedTime(`${when.date} ${when.time}`.trim(), timezone, context.clock.now());
  const offer = await refreshOffer(context.db, workshopId);
  const services = typedServicesOf(form).map((word) => offer?.byCode.get(word)?.title ?? word);
  const sms = await previewNewBooking(context.db, {
    ...{ workshopId, phone, services, date: date ?? context.clock.now() },
    ...{ rego: normaliseRego(form['rego'] ?? '') || null, name: form['name'] || null },
  });
  return {
    text: sms && textShown(sms.text, workshop),
    why: null,
    ...asked,
  };
}

/**
 * `id` tells the checkboxes of a page apart. What the text says is fetched anew as the form is filled in, and the box stays as it was
 * left.
 */
export function tellFields(
  { text, why, hasEmail, isChecked: wasChecked = true, isDraft = false, isOpen = false, opensOnce }: Told,
  id: string,
  isUsual = true,
): SafeHtml {
  const isChecked = wasChecked && isUsual;
  const sms =
    text === null
      ? html`<p class="quiet">No SMS goes: ${why === null ? '' : noNoticeInWords[why].replace('nobody is told: ', '')}.</p>`
      : isOpen
        ? html`<p class="quiet">The text shows here once ${opensOnce ?? 'another day or time is chosen'}.</p>`
        : html`<blockquote class="sms"><p class="message">${text}</p></blockquote>`;
  if (text === null && !hasEmail && !isDraft) return sms;
  return html`<div class="stack" id="told-${id}">${sms}${hasEmail ? html`<p class="quiet">An e-mail goes${text === null ? '' : ' too'}.</p>` : null}</div><div class="check"><input type="checkbox" id="tell-${id}" name="tell" value="yes"${isChecked ? html` checked` : null}><label for="tell-${id}">Tell the customer</label></div>`;
}

const isUnsent = (form: Form): boolean => Object.keys(form).length === 0;

/** Whether the box is shown checked: as it was left in a form that is shown again, else it is. */
export function isBoxChecked({ request, form, query }: WorkshopVisit): boolean {
  if (request.method === 'POST') return isTold(form);
  return query['version'] === undefined || query['tell'] === 'yes';
}

/** Whether the box was left checked. */
export const isTold = (form: Form): boolean => form['tell'] === 'yes';
