/** /b/{code}/cancel: asks for confirmation before a booking is cancelled. */
import { html } from '@remix-run/html-template';
import { button, buttons, hidden, linkButton, textArea } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { cancellationPolicy } from '#platform/pages/policies.ts';
import { timesNote } from '../times-note.ts';
import { bookingFacts } from './booking-page.ts';
import type { OpenedBooking } from './open.ts';

export const reasonAtMost = 500;

export function cancelPage(opened: OpenedBooking): Page {
  const { shop, code, version } = opened;
  return {
    title: 'Cancel your booking',
    shop,
    note: timesNote(shop),
    main: html`<h1>Cancel your booking?</h1>
${bookingFacts(opened)}
${cancellationPolicy(shop)}
<form method="post" action="/b/${code}/cancel">
${hidden('version', String(version))}
${textArea({ name: 'reason', label: 'Why?', max: reasonAtMost })}
${buttons(button('Cancel my booking', 'danger'), linkButton('Keep it', `/b/${code}`, 'quiet'))}
</form>`,
  };
}
