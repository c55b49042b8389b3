/** /b/{code}/cancel: asks for confirmation before a booking is cancelled. */
import { html } from '@remix-run/html-template';
import { textArea } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { cancellationPolicy } from '#platform/pages/policies.ts';
import { question } from '#platform/pages/question.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
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
${question({
  action: `/b/${code}/cancel`,
  sent: { version },
  about: textArea({ name: 'reason', label: 'Why?', max: reasonAtMost }),
  yes: 'Cancel my booking',
  isDangerous: true,
  no: { label: 'Keep it', href: `/b/${code}` },
})}`,
  };
}
