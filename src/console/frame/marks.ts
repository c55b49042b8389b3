/** States as a word and a shape: colour alone never distinguishes them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { AttendanceState } from '#product/bookings/attendance/store.ts';
import type { BookingStatus } from '#product/bookings/schema.ts';

/** The words in place of an absent detail of a walk-in. */
export const notGiven = 'not given';

const statuses: Readonly<Record<BookingStatus, readonly [kind: string, words: string]>> = {
  pending: ['ask', '? To confirm'],
  confirmed: ['', '✓ Confirmed'],
  completed: ['good', '✓ Completed'],
  cancelled: ['bad', '✕ Cancelled'],
};

export function statusMark(status: BookingStatus): SafeHtml {
  const [kind, words] = statuses[status];
  return html`<span class="mark ${kind}">${words}</span>`;
}

/** The names of the group Attendance. */
export const attendanceNames: Readonly<Record<AttendanceState, string>> = {
  expected: 'Expected',
  here: 'Here',
  ready: 'Ready',
  collected: 'Collected',
  didNotCome: 'Did not come',
};

const shapes: Readonly<Record<AttendanceState, readonly [kind: string, shape: string]>> = {
  expected: ['', '○'],
  here: ['strong', '●'],
  ready: ['good', '★'],
  collected: ['good', '→'],
  didNotCome: ['bad', '✕'],
};

export const attendanceShape = (state: AttendanceState): string => shapes[state][1];

export function attendanceMark(state: AttendanceState): SafeHtml {
  const [kind, shape] = shapes[state];
  return html`<span class="mark ${kind}"><span aria-hidden="true">${shape}</span> ${attendanceNames[state]}</span>`;
}
