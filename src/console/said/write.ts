/** The form of a text to a customer, and sending it: on a booking's page, on a customer's page and in a conversation. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, hidden, linkButton } from '#platform/pages/components.ts';
import { findLastSaid } from '#product/messaging/inbox/answered/store.ts';
import { type OwnMessage, sendOwnMessage } from '#product/messaging/staff/send.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { groundFields, groundOf } from '../frame/ground.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { seenOf } from './answered.ts';
import { countedText } from './count.ts';

/** More than ten segments, the most that a text may have. */
export const typedAtMost = 1_600;

export interface Addressed {
  readonly to: OwnMessage['to'];
  /** The booking that it is about; null: none. */
  readonly bookingId: string | null;
  /** The path of the next page. */
  readonly path: string;
  /** The field of the form that has the text. */
  readonly field: string;
  /** The scheduled text that it replaces. */
  readonly replaces?: string | undefined;
  /** Instead of the form's value. */
  readonly content?: OwnMessage['content'];
}

/** The form's `seen` is the newest message that its sender has seen. `refused` gets faults by the names of the form's fields. */
export function sendText(
  visit: WorkshopVisit,
  { to, bookingId, path, field, replaces, content }: Addressed,
  refused: (refused: Refused) => Promise<ConsolePage>,
): Promise<ConsoleResponse> {
  const { context, actor, form, workshop } = visit;
  const goesTo = `${path}?done=sent`;
  return submit(
    visit,
    async (key) => {
      await sendOwnMessage(context, {
        ...{ workshopId: workshop.workshopId, to, bookingId, replaces, seen: seenOf(form) },
        ...{ content: content ?? { text: form[field] ?? '' }, actor, ground: groundOf(visit) },
        alongside: key.keep(goesTo),
      });
      context.nudgeSender();
      return goesTo;
    },
    (refusal) => refused(byField(refusal, field)),
  );
}

/** The verbs' name of the field is `text`. */
export const byField = (refused: Refused, name: string): Refused => ({
  ...refused,
  faults: refused.faults.map((fault) => (fault.field === 'text' ? { ...fault, field: name } : fault)),
});

/** The form on a customer's page and on a booking's page. */
export async function textForm(
  visit: WorkshopVisit,
  // A caller who is not a customer yet has no messages.
  { customerId, path }: { readonly customerId: string | null; readonly path: string },
  refused: Refused | null,
): Promise<SafeHtml> {
  const { context, workshop, form } = visit;
  const { workshopId } = workshop;
  const seen = customerId === null ? null : await findLastSaid(context.db, { workshopId, customerId });
  const text = {
    ...{ name: 'message', label: 'Message', max: typedAtMost, value: form['message'], required: true },
    error: faultOf(refused, 'message'),
  };
  return html`<section class="card">${changeForm({
    action: `${path}/message`,
    body: html`${hidden('seen', seen ?? '')}${countedText(text, context.config.segmentPrice)}
${groundFields(visit, refused)}
${buttons(button('Send'), linkButton('Back', path, 'quiet'))}`,
  })}</section>`;
}
