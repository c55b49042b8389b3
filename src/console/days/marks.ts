/** The state of a booking on a day, in words and shapes. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { attendanceMark, statusMark } from '../frame/marks.ts';

/** The usual state, confirmed and expected, has no mark. */
export function dayMarks(
  { status, attendance, hasNotes }: Pick<DayBooking, 'status' | 'attendance' | 'hasNotes'>,
  late: boolean,
): SafeHtml {
  return html`${late ? html`<span class="mark bad">! Late</span> ` : null}${status === 'confirmed' ? null : statusMark(status)} ${attendance === 'expected' ? null : attendanceMark(attendance)}${hasNotes ? html`<span class="mark" title="Has notes"><span aria-hidden="true">✎</span><span class="unseen">Has notes</span></span>` : null}`;
}
