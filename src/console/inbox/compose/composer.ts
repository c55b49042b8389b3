/** The form that answers a customer. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, textArea } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { changeForm, faultOf, refusal } from '../../frame/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';

/** What was sent from the page, and not done. */
export interface Sent {
  /** As it was typed. */
  readonly form: Form;
  readonly refused: Refused | null;
}

export async function composer(
  visit: WorkshopVisit,
  { conversationId, optedOut, phone }: Pick<Talk, 'conversationId' | 'optedOut' | 'phone'>,
  sent: Sent | null = null,
): Promise<SafeHtml> {
  if (!visit.may('wordTexts')) return html``;
  const refused = sent?.refused ?? null;
  const value = sent?.form['answer'];
  return html`<section class="card" id="compose"><h2>Answer</h2>${refusal(refused)}${
    optedOut || phone === null
      ? html`<p class="notice bad">The customer can't be texted: nothing can be sent.</p>`
      : changeForm({
          action: `${visit.base}/inbox/${conversationId}/answer`,
          body: html`${textArea({ name: 'answer', label: 'Answer', value, required: true, error: faultOf(refused, 'answer') })}${buttons(button('Send'))}`,
        })
  }</section>`;
}

interface Talk {
  readonly conversationId: string;
  readonly optedOut: boolean;
  readonly phone: string | null;
}
