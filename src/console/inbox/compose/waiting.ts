/** The scheduled texts of a conversation: each can be cancelled, changed, or sent now. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { button, hidden } from '#platform/pages/components.ts';
import type { WaitingText } from '#product/messaging/inbox/later/store.ts';
import { changeForm } from '../../frame/form.ts';
import { textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { type Talk as Answered, talkPath } from './talk.ts';

type Talk = Pick<Answered, 'conversationId' | 'lastMessageId'>;

/** A text with a phone in it cannot be changed by a person who is not allowed to see phones. */
export const mayChange = ({ body }: WaitingText, workshop: WorkshopVisit['workshop']): boolean =>
  textShown(body, workshop) === body;

/** Null: none waits. */
export function waitingList(
  visit: WorkshopVisit,
  talk: Talk,
  texts: readonly WaitingText[],
): SafeHtml | null {
  if (texts.length === 0) return null;
  return html`<section class="card"><h2>To be sent later</h2><ol class="story">${texts.map((text) => item(visit, talk, text))}</ol></section>`;
}

function item(visit: WorkshopVisit, talk: Talk, text: WaitingText): SafeHtml {
  const { workshop } = visit;
  const { body, dueAt, writer, isOvertaken } = text;
  return html`<li><p class="quiet">${writer ?? 'Someone who was removed'}, for ${localDateTime(dueAt, workshop.timezone)}</p><p class="message">${textShown(body, workshop)}</p>${isOvertaken ? html`<p class="notice bad">! The customer wrote since: it is held back unless you change it or send it now</p>` : null}${visit.may('wordTexts') ? controls(visit, talk, text) : null}</li>`;
}

function controls(visit: WorkshopVisit, talk: Talk, text: WaitingText): SafeHtml {
  const path = talkPath(visit, talk.conversationId);
  const named = html`${hidden('waiting', text.id)}${hidden('seen', talk.lastMessageId ?? '')}`;
  const form = (action: string, label: string) =>
    changeForm({ action: `${path}/later/${action}`, body: html`${named}${button(label, 'quiet')}` });
  return html`<div class="buttons">${form('now', 'Send now')}${mayChange(text, visit.workshop) ? html`<a class="button quiet" href="${path}?change=${text.id}#compose">Change</a>` : null}${form('cancel', 'Cancel')}</div>`;
}
