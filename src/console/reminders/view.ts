/** A reminder in words: its state, and its car. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { ServiceReminder } from '#product/reminders/schema.ts';
import { notGiven } from '../frame/marks.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { Filters } from '../lists/filters.ts';
import type { Reminder } from './store.ts';

type Status = ServiceReminder['status'];

export type ReminderFilter = 'due' | 'sent' | 'booked' | 'stopped' | 'failed';
export const reminderFilters: Filters<ReminderFilter> = {
  ...{ due: 'Due', sent: 'Sent', booked: 'Booked', stopped: 'Stopped', failed: 'Failed' },
};

export const statusOf: Readonly<Record<ReminderFilter, Status>> = {
  ...{ due: 'scheduled', sent: 'sent', booked: 'booked', stopped: 'cancelled', failed: 'failed' },
};

const marks: Readonly<Record<Status, readonly [kind: string, words: string]>> = {
  scheduled: ['', '○ Due'],
  sent: ['good', '→ Sent'],
  booked: ['good', '✓ Booked'],
  cancelled: ['', '✕ Stopped'],
  failed: ['bad', '! Failed'],
};

export function reminderMark({ status, isTaken }: Reminder): SafeHtml {
  const [kind, words] = status === 'scheduled' && isTaken ? ['strong', '→ On its way'] : marks[status];
  return html`<span class="mark ${kind}">${words}</span>`;
}

export const optedOutMark = ({ optedOut }: Reminder): SafeHtml | null =>
  optedOut ? html`<span class="mark bad">✕ Opted out</span>` : null;

/** `Toyota Corolla, 1AB2CD`. */
export function reminderCar({ car }: Reminder, workshop: WorkshopVisit['workshop']): string {
  const [make, model, rego] = [car?.make, car?.model, car?.rego].map((text) =>
    textShown(text ?? '', workshop),
  );
  return [[make, model].filter(Boolean).join(' '), rego].filter(Boolean).join(', ') || notGiven;
}
