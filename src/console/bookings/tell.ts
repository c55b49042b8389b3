/** The text of a change that a customer would get, shown before it is made. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Form } from '#platform/pages/form.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import {
  type NoNotice,
  noNoticeInWords,
  previewChange,
  type StaffChange,
} from '#product/notifications/change-preview.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface Told {
  /** The SMS; null: none goes. */
  readonly text: string | null;
  /** Why none goes. */
  readonly why: NoNotice | null;
  /** An e-mail goes too. */
  readonly hasEmail: boolean;
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

/** `id` tells the checkboxes of a page apart. */
export function tellFields({ text, why, hasEmail }: Told, id: string, isChecked = true): SafeHtml {
  const sms =
    text === null
      ? html`<p class="quiet">No SMS goes: ${why === null ? '' : noNoticeInWords[why]}.</p>`
      : html`<blockquote class="sms"><p class="message">${text}</p></blockquote>`;
  if (text === null && !hasEmail) return sms;
  return html`${sms}${hasEmail ? html`<p class="quiet">An e-mail goes${text === null ? '' : ' too'}.</p>` : null}<div class="check"><input type="checkbox" id="tell-${id}" name="tell" value="yes"${isChecked ? html` checked` : null}><label for="tell-${id}">Tell the customer</label></div>`;
}

/** Whether the box was left checked. */
export const isTold = (form: Form): boolean => form['tell'] === 'yes';
