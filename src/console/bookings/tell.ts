/** What a customer would be told of a change, shown before it is made. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { type ChangeShown, previewChange } from '#product/notifications/preview-change.ts';
import { notToldInWords } from '#product/notifications/not-told.ts';
import type { Form } from '#platform/pages/form.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface Told {
  /** The SMS; null: none goes. */
  readonly text: string | null;
  /** Why none goes. */
  readonly why: string | null;
}

export async function toldOf(
  { context, workshop }: WorkshopVisit,
  booking: WorkshopBooking,
  change: ChangeShown,
): Promise<Told> {
  const { text, notTold } = await previewChange(context, booking.id, change);
  return {
    text: text === null ? null : textShown(text, workshop),
    why: notTold === null ? null : notToldInWords[notTold],
  };
}

/** `id` tells the checkboxes of a page apart. */
export function tellFields({ text, why }: Told, id: string, isChecked = true): SafeHtml {
  if (text === null) return html`<p class="quiet">No SMS goes: ${why}</p>`;
  return html`<blockquote class="sms"><p class="message">${text}</p></blockquote><div class="check"><input type="checkbox" id="tell-${id}" name="tell" value="yes"${isChecked ? html` checked` : null}><label for="tell-${id}">Tell the customer</label></div>`;
}

/** Whether the box was left checked. */
export const isTold = (form: Form): boolean => form['tell'] === 'yes';
