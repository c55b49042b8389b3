/** The form that answers a customer in a conversation, and the texts that wait there to be sent. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden } from '#platform/pages/components.ts';
import { listScheduled, type WaitingText } from '#product/messaging/inbox/later/store.ts';
import { whenAt } from '../../bookings/when.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { textRefusal } from '../../said/answered.ts';
import { type Sent, textForm } from '../../said/text-form.ts';
import { type Talk, talkPath, whyNot } from './talk.ts';
import { mayChange, waitingList } from './waiting.ts';

/** The end of a conversation: the texts that wait, and the form. */
interface Composer {
  /** Null: none waits. */
  readonly waiting: SafeHtml | null;
  /** Null: the person may not text. */
  readonly answer: SafeHtml | null;
}

export async function composer(
  visit: WorkshopVisit,
  talk: Talk,
  sent: Sent | null = null,
): Promise<Composer> {
  const { context, workshop } = visit;
  const texts = await listScheduled(context.db, workshop.workshopId, talk.customerId);
  const waiting = waitingList(visit, talk, texts);
  if (!visit.may('wordTexts')) return { waiting, answer: null };
  const cannot = whyNot(talk);
  const refusal = await textRefusal(visit, sent?.refused ?? null);
  const answer = html`<section class="card" id="compose"><h2 class="unseen">Answer</h2>${refusal}${
    cannot === null
      ? await answerForm(visit, { talk, texts, sent })
      : html`<p class="notice bad">${cannot}</p>`
  }</section>`;
  return { waiting, answer };
}

interface Shown {
  readonly talk: Talk;
  readonly texts: readonly WaitingText[];
  readonly sent: Sent | null;
}

function answerForm(visit: WorkshopVisit, { talk, texts, sent }: Shown): Promise<SafeHtml> {
  const { timezone } = visit.workshop;
  const path = talkPath(visit, talk.conversationId);
  const changed = changedIn(visit, texts, sent);
  const form = {
    ...({ field: 'answer', action: `${path}/answer`, seen: talk.lastMessageId } as const),
    drafts: { preview: `${path}/preview`, later: `${path}/later` },
  };
  if (changed === undefined) return textForm(visit, form, sent);
  const above = html`${hidden('replaces', changed.id)}<p class="notice">This takes the place of the text that waits. <a href="${path}">Leave it as it is</a></p>`;
  const opened = { typed: changed.body, when: whenAt(changed.dueAt, timezone) };
  return textForm(visit, { ...form, changed: opened, above }, sent);
}

/** The waiting text that is to be changed. */
function changedIn(
  { query, workshop }: WorkshopVisit,
  texts: readonly WaitingText[],
  sent: Sent | null,
): WaitingText | undefined {
  // One that waits no more is replaced by nothing: what was typed then goes as a text of its own.
  if (sent !== null) return texts.find(({ id }) => id === sent.form['replaces']);
  const changed = texts.find(({ id }) => id === query['change']);
  return changed && mayChange(changed, workshop) ? changed : undefined;
}
