/** A text in one's own words to a customer: its form, and sending it. Of a booking's page, a customer's and a talk alike. */
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

/** More than the ten segments that a text may have. */
export const typedAtMost = 1_600;

export interface Addressed {
  readonly to: OwnMessage['to'];
  /** The booking that it is about; null: none. */
  readonly bookingId: string | null;
  /** The path of the page that its sender goes to. */
  readonly path: string;
  /** The field of the form that has the text. */
  readonly field: string;
  /** A text that waits to be sent later, in whose place it goes. */
  readonly replaces?: string | undefined;
  /** In place of what the form says. */
  readonly content?: OwnMessage['content'];
}

/** The form says with `seen` what its sender was shown. `refused` gets faults by the names of its fields. */
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

/** The verbs call it `text`. */
export const byField = (refused: Refused, name: string): Refused => ({
  ...refused,
  faults: refused.faults.map((fault) => (fault.field === 'text' ? { ...fault, field: name } : fault)),
});

/** The form of a customer's page, and of a booking's. */
export async function textForm(
  visit: WorkshopVisit,
  // Nobody has talked with a caller who is no customer yet.
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
