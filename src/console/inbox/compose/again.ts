/** The form that sends a text again that did not arrive. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, hidden } from '#platform/pages/components.ts';
import { againState } from '#product/messaging/inbox/again/again.ts';
import { changeForm } from '../../frame/form.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { talkPath } from './talk.ts';

export interface Failed {
  readonly messageId: string;
  readonly kind: string;
  readonly state: string;
}

/** The form beside the message; null: the message cannot be sent again, or the person is not allowed to. */
export function againForm(visit: WorkshopVisit, conversationId: string, failed: Failed): SafeHtml | null {
  const state = againState(failed);
  if (state === null || !visit.may('wordTexts')) return null;
  const { messageId } = failed;
  const id = `twice-${messageId}`;
  const warning = html`<div class="check"><input type="checkbox" id="${id}" name="twice" value="yes"><label for="${id}">Nobody knows whether it arrived: it may arrive twice</label></div>`;
  return changeForm({
    action: `${talkPath(visit, conversationId)}/again`,
    body: html`${hidden('message', messageId)}${state === 'unknown' ? warning : null}${button('Try again', 'quiet')}`,
  });
}
