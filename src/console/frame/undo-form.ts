/** The button that undoes a change, as long as that is possible. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden } from '#platform/pages/components.ts';
import { changeForm } from './form.ts';

/** The person's own change of which nobody has been notified yet. */
export interface Undoable {
  readonly eventId: string;
  readonly heldUntil: Date;
}

/**
 * `now`: by the machine's clock, since the browser's may differ. Without scripts the button stays, and is answered with "too
 * late".
 */
export function undoForm(action: string, { eventId, heldUntil }: Undoable, now: Date): SafeHtml {
  return html`<div class="notice undo" data-left-ms="${heldUntil.getTime() - now.getTime()}">${changeForm({
    action,
    body: html`${hidden('event', eventId)}<p class="buttons"><span>Nobody has been told yet.</span> <button class="button quiet">Undo</button></p>`,
  })}</div>`;
}
