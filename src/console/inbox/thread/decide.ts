/** Above a conversation: what staff have to decide of a text of the customer. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { button } from '#platform/pages/components.ts';
import { changeForm } from '../../frame/form.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import type { Talk } from '../talk.ts';

/** Null: there is nothing to decide. */
export function toDecide(visit: WorkshopVisit, talk: Talk): SafeHtml | null {
  const parts = [asks(visit, talk), meant(visit, talk)].filter((part) => part !== null);
  return parts.length === 0 ? null : html`${parts}`;
}

function asks(visit: WorkshopVisit, { asksToStop, path, version }: Talk): SafeHtml | null {
  if (!asksToStop) return null;
  const one = (to: string, label: string, kind: 'danger' | 'quiet') =>
    changeForm({ action: `${path}/${to}`, version, body: button(label, kind) });
  return html`<section class="notice" aria-label="Asks to stop?"><p><strong>Asks to stop?</strong> Until somebody decides, campaigns and service reminders to this customer are skipped, for good.</p>${
    visit.may('correctCustomers')
      ? html`<div class="buttons">${one('opt-out', 'Opt out', 'danger')}${one('not-meant', 'Not meant', 'quiet')}</div>`
      : null
  }</section>`;
}

function meant({ base, workshop }: WorkshopVisit, { mayHaveMeant }: Talk): SafeHtml | null {
  if (mayHaveMeant === null) return null;
  const { bookingId, date } = mayHaveMeant;
  return html`<section class="notice" aria-label="About a booking?"><p><strong>May have meant <a href="${base}/bookings/${bookingId}">the booking of ${localDateTime(new Date(date), workshop.timezone)}</a>.</strong> Their word opted them out of SMS, and the booking stands: ring them.</p></section>`;
}
