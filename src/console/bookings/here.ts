/** The box **Here** of a new booking: its customer stands at the desk (specification: The workshop's own bookings 12). */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localTime } from '#base/values/local-time.ts';
import type { Form } from '#platform/pages/form.ts';
import { nextQuarter } from '#product/bookings/staff/here.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { typedWhen } from './when.ts';

const beginsAt = ({ context }: WorkshopVisit): Date => nextQuarter(context.clock.now());

export const isHere = (form: Form): boolean => form['here'] === 'yes';
const hasTime = (form: Form): boolean => Boolean(form['at'] || form['time']);

/** The form with its time: of somebody who is here, unless another was chosen, the next quarter of an hour. */
export const withTimeHere = (visit: WorkshopVisit, form: Form): Form =>
  isHere(form) && !hasTime(form) ? { ...form, at: beginsAt(visit).toISOString() } : form;

/** The typed time for the verb; empty: none was. */
export const typedTimeOf = (form: Form): string => (hasTime(form) ? typedWhen(form) : '');

export function hereField(visit: WorkshopVisit, form: Form, refused: Refused | null): SafeHtml {
  const error = faultOf(refused, 'here');
  return html`<div class="check"><input type="checkbox" id="here" name="here" value="yes" aria-describedby="here-hint"${isHere(form) ? html` checked` : null}><label for="here">Here</label> <span class="hint" id="here-hint">Without a time it begins at ${localTime(beginsAt(visit), visit.workshop.timezone)}.</span></div>${error ? html`<p class="error" id="here-error">${error}</p>` : null}`;
}
