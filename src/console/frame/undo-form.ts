/** The button that takes a change back, as long as that can be done. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden } from '#platform/pages/components.ts';
import { changeForm } from './form.ts';

/** A change of one's own that nobody has heard of yet. */
export interface Undoable {
  readonly eventId: string;
  readonly heldUntil: Date;
}

/** `now`: by the machine's clock; the browser may have another. Without a script the button stays, and says that it is too late. */
export function undoForm(action: string, { eventId, heldUntil }: Undoable, now: Date): SafeHtml {
  return html`<div class="notice undo" data-left-ms="${heldUntil.getTime() - now.getTime()}">${changeForm({
    action,
    body: html`${hidden('event', eventId)}<p class="buttons"><span>Nobody has been told yet.</span> <button class="button quiet">Undo</button></p>`,
  })}</div>`;
}
