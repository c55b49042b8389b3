/** A colleague has answered since the form was shown: shows who and what, before the form is sent again. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { focused } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { AnsweredMeanwhile } from '#product/messaging/inbox/answered/answered.ts';
import type { SaidMeanwhile } from '#product/messaging/inbox/answered/store.ts';
import { refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { sendersOf } from './senders.ts';

/** The newest message on the page of the form; null: none. */
export const seenOf = ({ seen = '' }: Form): string | null => (isId(seen) ? seen : null);

/** The refusal of a text, above its form; null: it was not refused. */
export async function textRefusal(visit: WorkshopVisit, refused: Refused | null): Promise<SafeHtml | null> {
  if (!(refused?.error instanceof AnsweredMeanwhile)) return refusal(refused && named(refused));
  const { answers } = refused.error;
  const senders = await inWords(visit, answers);
  return focused(
    html`<p><strong>The customer was answered meanwhile.</strong> Nothing was sent; read it, and send yours once more if it is still needed.</p>
<ol class="story">${answers.map((each, n) => html`<li><p class="quiet">${senders[n] ?? ''}, ${localDateTime(each.at, visit.workshop.timezone)}</p><p class="message">${textShown(each.body, visit.workshop)}</p></li>`)}</ol>`,
  );
}

/** Without the id by which the command line names the customer. */
const named = ({ message, ...refused }: Refused): Refused => ({
  ...refused,
  message: message?.replace(/^not sent: customer \S+ /, 'Not sent: this customer ') ?? null,
});

/** The sender of each answer, in words. */
async function inWords(visit: WorkshopVisit, answers: readonly SaidMeanwhile[]): Promise<string[]> {
  const senders = await sendersOf(visit, answers);
  return answers.map(({ messageId, partner }) => {
    if (partner !== null) return `The partner ${partner}`;
    const sender = senders.get(messageId);
    if (sender === undefined) return 'The workshop';
    return sender.personId === visit.who.personId ? 'You' : sender.words;
  });
}
