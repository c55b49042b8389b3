/** Somebody of the workshop has answered since a form was shown: who, and what, before it is sent once more. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { actorInWords, personOf } from '#platform/audit/words.ts';
import { focused } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { AnsweredMeanwhile } from '#product/messaging/inbox/answered/answered.ts';
import type { SaidMeanwhile } from '#product/messaging/inbox/answered/store.ts';
import { findSenders } from '#product/messaging/staff/senders/store.ts';
import { namesOf } from '#product/people/names/store.ts';
import { refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** The newest message that whoever sends the form was shown; null: none. */
export const seenOf = ({ seen = '' }: Form): string | null => (isId(seen) ? seen : null);

/** What was refused of a text, above its form; null: nothing was. */
export async function textRefusal(visit: WorkshopVisit, refused: Refused | null): Promise<SafeHtml | null> {
  if (!(refused?.error instanceof AnsweredMeanwhile)) return refusal(refused);
  const { answers } = refused.error;
  const senders = await sendersOf(visit, answers);
  return focused(
    html`<p><strong>The customer was answered meanwhile.</strong> Nothing was sent; read it, and send yours once more if it is still needed.</p>
<ol class="story">${answers.map((each, n) => html`<li><p class="quiet">${senders[n] ?? ''}, ${localDateTime(each.at, visit.workshop.timezone)}</p><p class="message">${textShown(each.body, visit.workshop)}</p></li>`)}</ol>`,
  );
}

/** Who sent each, in words. */
async function sendersOf(visit: WorkshopVisit, answers: readonly SaidMeanwhile[]): Promise<string[]> {
  const { context, workshop, who } = visit;
  const actors = await findSenders(context.db, workshop.workshopId, answers);
  const names = await namesOf(
    context.db,
    [...actors.values()].flatMap((actor) => personOf(actor) ?? []),
  );
  return answers.map(({ messageId, partner }) => {
    if (partner !== null) return `The partner ${partner}`;
    const actor = actors.get(messageId);
    if (actor === undefined) return 'The workshop';
    const personId = personOf(actor);
    return personId === who.personId
      ? 'You'
      : actorInWords(actor, { person: names.get(personId ?? '') ?? null });
  });
}
