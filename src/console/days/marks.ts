/** A booking on a day: what it is called, its state in words and shapes, and its attendance. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden } from '#platform/pages/components.ts';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { hiddenKey } from '../frame/form.ts';
import { attendanceMark, attendanceNames, attendanceShape, notGiven, statusMark } from '../frame/marks.ts';
import { nameShown, nameText } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

type Workshop = Pick<WorkshopVisit['workshop'], 'seesPhones'>;

/** The name of a booking at the desk: the registration, with the customer's name as `who`, or without one the name alone. */
export function calledOf(
  { rego, customer }: Pick<DayBooking, 'rego' | 'customer'>,
  workshop: Workshop,
): { readonly head: SafeHtml | string; readonly who: SafeHtml | null } {
  if (rego !== null) return { head: rego, who: nameShown(customer, workshop) };
  return { head: customer === null ? notGiven : nameShown(customer, workshop), who: null };
}

/** The same as text, never empty. */
export const calledText = (
  { rego, customer, code }: Pick<DayBooking, 'rego' | 'customer' | 'code'>,
  workshop: Workshop,
): string => rego ?? nameText(customer ?? code, workshop);

const atHand = ['here', 'ready', 'collected'] as const;

/** One click marks the attendance; the pressed one takes it back. `next`: the path of the day, to which it leads back. */
export function attendanceForm(
  booking: DayBooking,
  { base, workshop }: Pick<WorkshopVisit, 'base' | 'workshop'>,
  next: string,
): SafeHtml {
  const { id, attendance } = booking;
  const one = (state: (typeof atHand)[number]) => {
    const isPressed = state === attendance;
    return html`<button class="button quiet" name="state" value="${isPressed ? 'expected' : state}" aria-pressed="${String(isPressed)}" title="${attendanceNames[state]}"><span aria-hidden="true">${attendanceShape(state)}</span> <span class="words">${attendanceNames[state]}</span></button>`;
  };
  return html`<form class="attend" method="post" action="${base}/bookings/${id}/attendance">${hiddenKey()}${hidden('seen', attendance)}${hidden('next', next)}<div role="group" aria-label="Attendance of ${calledText(booking, workshop)}">${atHand.map(one)}</div></form>`;
}

/** The usual state, confirmed and expected, has no mark. */
export function dayMarks(
  { status, attendance, hasNotes, hasJob }: Pick<DayBooking, 'status' | 'attendance' | 'hasNotes' | 'hasJob'>,
  late: boolean,
): SafeHtml {
  return html`${late ? html`<span class="mark bad">! Late</span> ` : null}${status === 'confirmed' ? null : statusMark(status)} ${attendance === 'expected' ? null : attendanceMark(attendance)}${hasNotes ? sign('✎', 'Has notes') : null}${hasJob ? sign('⚙', 'Has job notes or parts') : null}`;
}

const sign = (shape: string, words: string): SafeHtml =>
  html`<span class="mark" title="${words}"><span aria-hidden="true">${shape}</span><span class="unseen">${words}</span></span>`;
