/** The preview of the text that a change would send to its customer. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { normaliseRego } from '#base/values/rego.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { hidden } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { areBookable } from '#product/bookings/staff/create.ts';
import { whyNoSms } from '#product/bookings/staff/telling.ts';
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
import { reachedBy } from './reached.ts';
import { typedServicesOf } from './service-fields.ts';
import type { When } from './when.ts';

export interface Told {
  /** The SMS; null: none is sent. */
  readonly text: string | null;
  /** How many segments it has; absent: not shown. */
  readonly segments?: number | undefined;
  /** Why none goes. */
  readonly why: NoNotice | null;
  /** An e-mail goes too. */
  readonly hasEmail: boolean;
  /** False: the box was unchecked in the form. */
  readonly isChecked?: boolean;
  /** The booking is being written: the customer may be filled in after the preview, so the box is shown in any case. */
  readonly isDraft?: boolean;
  /** There will be a text, but it can't be shown yet: the new time has not been chosen, or what was typed can't be stored. */
  readonly isOpen?: boolean;
  /** The end of that state, in words. */
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
    segments: sms.text?.segments,
    why: sms.none,
    hasEmail: email.text !== null,
  };
}

/** The preview for a booking that is being written, from the fields that are filled in. */
export async function toldOfNew(visit: WorkshopVisit, form: Form, when: When): Promise<Told> {
  const { context, workshop } = visit;
  const { workshopId, country, timezone } = workshop;
  const { phone, email, optedOut, emailBounced } = await reachedBy(visit, await contactOf(visit, form));
  const hasEmail = email !== '' && !emailBounced;
  const asked = { hasEmail, isDraft: true, isChecked: isTicked(visit, 'tell') };
  const why = whyNoSms({ phone: phone ?? '', country, erased: false, optedOut }, context.config);
  if (phone === null || why !== null) return { text: null, why, ...asked };
  const date = when.time
    ? parseTypedTime(`${when.date} ${when.time}`.trim(), timezone, context.clock.now())
    : null;
  if (date === null) return { text: '', why: null, ...asked, isOpen: true, opensOnce: 'a time is chosen' };
  const offer = await refreshOffer(context.db, workshopId);
  const services = typedServicesOf(form).map((word) => offer?.byCode.get(word)?.title ?? word);
  const [rego, name] = [form['rego'] ?? '', form['name'] ?? ''];
  if (!areBookable({ carRego: rego, customerName: name, services }))
    return {
      ...{ text: '', why: null, ...asked },
      ...{ isOpen: true, opensOnce: 'registration, name and services can be stored' },
    };
  const sms = await previewNewBooking(context, {
    ...{ workshopId, phone, services, date, isConfirmed: isTicked(visit, 'confirmed') },
    ...{ rego: normaliseRego(rego) || null, name: name || null },
  });
  return {
    text: sms && textShown(sms.text, workshop),
    segments: sms?.segments,
    why: null,
    ...asked,
  };
}

/**
 * `id` distinguishes the checkboxes of a page. The text is fetched again as the form is filled in; the box keeps its state.
 */
export function tellFields(told: Told, id: string, isUsual = true): SafeHtml {
  const { text, segments, why, hasEmail } = told;
  const { isChecked: wasChecked = true, isDraft = false, isOpen = false, opensOnce } = told;
  const isChecked = wasChecked && isUsual;
  const sms =
    text === null
      ? html`<p class="quiet">No SMS goes: ${why === null ? '' : noNoticeInWords[why].replace('nobody is told: ', '')}.</p>`
      : isOpen
        ? html`<p class="quiet">The text shows here once ${opensOnce ?? 'another day or time is chosen'}.</p>`
        : html`<blockquote class="sms"><p class="message">${text}</p></blockquote>${segments === undefined ? null : html`<p class="hint">${segments === 1 ? '1 segment' : `${segments} segments`}${isDraft ? toCome(text) : null}</p>`}`;
  if (text === null && !hasEmail && !isDraft) return sms;
  return html`<div class="stack" id="told-${id}">${sms}${hasEmail ? html`<p class="quiet">An e-mail goes${text === null ? '' : ' too'}.</p>` : null}</div><div class="check"><input type="checkbox" id="tell-${id}" name="tell" value="yes"${isChecked ? html` checked` : null}><label for="tell-${id}">Tell the customer</label></div>`;
}

/** Explains the square brackets in the text of a new booking. */
const toCome = (text: string): string =>
  text.includes('[link]')
    ? '; code and link are made with the booking'
    : '; the code is made with the booking';

/** Whether the box is checked: its state in a form that is shown again, else yes. */
export function isBoxChecked({ request, form, query }: WorkshopVisit): boolean {
  if (request.method === 'POST') return isTold(form);
  return query['version'] === undefined || query['tell'] === 'yes';
}

/** In a form whose boxes are read by `isTicked`: a box that is not checked is not sent. */
export const askedMark = hidden('asked', 'yes');

/** Whether a box that is checked at first is checked: its state in the form that was sent. */
export function isTicked({ request, form, query }: WorkshopVisit, name: 'tell' | 'confirmed'): boolean {
  if (request.method === 'POST') return form[name] === 'yes';
  return query['asked'] === undefined || query[name] === 'yes';
}

/** Whether the box was checked in the form. */
export const isTold = (form: Form): boolean => form['tell'] === 'yes';
