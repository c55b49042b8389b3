/** The state of a booking on a day, in words and shapes. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { attendanceMark, statusMark } from '../frame/marks.ts';

/** The usual state, confirmed and expected, has no mark. */
export function dayMarks(
  { status, attendance, hasNotes, hasJob }: Pick<DayBooking, 'status' | 'attendance' | 'hasNotes' | 'hasJob'>,
  late: boolean,
): SafeHtml {
  return html`${late ? html`<span class="mark bad">! Late</span> ` : null}${status === 'confirmed' ? null : statusMark(status)} ${attendance === 'expected' ? null : attendanceMark(attendance)}${hasNotes ? sign('✎', 'Has notes') : null}${hasJob ? sign('⚙', 'Has job notes or parts') : null}`;
}

const sign = (shape: string, words: string): SafeHtml =>
  html`<span class="mark" title="${words}"><span aria-hidden="true">${shape}</span><span class="unseen">${words}</span></span>`;
