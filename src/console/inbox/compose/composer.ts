/** STAND-IN until the form of an answer is there. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { changeForm } from '../../frame/form.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import type { Talk } from '../talk.ts';
import type { SentForm } from '../thread/sent.ts';
export async function composer(
  _visit: WorkshopVisit,
  { path }: Talk,
  _sent: SentForm | null,
): Promise<SafeHtml> {
  return changeForm({
    action: `${path}/answer`,
    body: html`<div class="field"><label for="answer">Answer</label><textarea id="answer" name="answer" rows="3"></textarea></div><p class="buttons"><button class="button">Send</button></p>`,
  });
}
