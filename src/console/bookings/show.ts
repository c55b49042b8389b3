/** /console/w/{slug}/bookings/{id}: one booking, with all messages about it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { TrailEntry } from '#platform/audit/read/store.ts';
import { findHeld } from '#platform/events/held/store.ts';
import { buttons, hidden, linkButton } from '#platform/pages/components.ts';
import { attendanceStates } from '#product/bookings/attendance/store.ts';
import { newQuotePath } from '../find/view.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { attendanceMark, attendanceNames, statusMark } from '../frame/marks.ts';
import { textShown } from '../frame/masked.ts';
import { undoForm } from '../frame/undo-form.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { saidList } from '../said/view.ts';
import { attendanceSince, changesSince } from '../trail/since.ts';
import { readTrail, trailCard } from '../trail/view.ts';
import { doneOf } from './done.ts';
import { bookingFacts, nameOf, whenOf } from './facts.ts';
import { jobForm } from './job.ts';
import type { OpenedBooking } from './open.ts';
import { followedByPage, openBooking } from './open.ts';
import { type Told, tellFields, toldOf } from './tell.ts';

export const showBooking = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  bookingPage(visit, await openBooking(visit), null);

/** `refused`: the change that was just refused. */
export async function bookingPage(
  visit: WorkshopVisit,
  opened: OpenedBooking,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, form } = visit;
  const { booking, beside, path } = opened;
  const isOn = booking.status === 'pending' || booking.status === 'confirmed';
  const mayChange = visit.may('changeBookings');
  const mayHandle = visit.may('handleCars');
  const [changes, held, confirmation, ready, entries, said] = await Promise.all([
    (form['seen'] === undefined ? changesSince : attendanceSince)(visit, booking.id, refused),
    findHeld(context.db, { workshopId: workshop.workshopId, recordId: booking.id, actor: visit.actor }),
    mayChange && booking.status === 'pending' ? toldOf(visit, booking, { kind: 'confirmed' }) : null,
    mayHandle && isOn ? toldOf(visit, booking, { kind: 'ready', again: true }) : null,
    mayChange || visit.may('seeTrail') ? readTrail(visit, booking.id) : [],
    refused === null ? doneOf(visit, booking.id) : null,
  ]);
  const trail = visit.may('seeTrail') ? await trailCard(visit, entries) : null;
  return {
    title: `${nameOf(booking, visit.workshop)}, ${whenOf(booking)}`,
    current: 'Today',
    ...followedByPage(opened),
    said,
    main: html`${refusal(refused, changes)}
${held === null ? null : undoForm(`${path}/undo`, held, context.clock.machineNow())}
<div class="head"><h1>${nameOf(booking, visit.workshop)} <span class="quiet">${whenOf(booking)}</span></h1><p data-now>${statusMark(booking.status)} ${attendanceMark(beside.attendance)}</p></div>
<div class="columns"><div class="stack">
${warnings(opened, workshop)}
<section class="card"><h2 class="unseen">The booking</h2>${bookingFacts(booking, visit)}
${mayChange && isOn ? html`<p class="buttons">${linkButton('Move', `${path}/move`)}${linkButton('Edit', `${path}/edit`, 'quiet')}${linkButton('Cancel booking', `${path}/cancel`, 'danger')}</p>` : null}
${mayChange && held === null ? putBack(visit, opened, movedFromOf(entries)) : null}</section>
${visit.may('seeCustomers') ? story(visit, opened) : null}
</div><div class="stack">
${mayHandle ? attendanceForm(opened) : null}
${confirmation === null ? null : confirmForm(opened, confirmation)}
${ready === null || beside.attendance === 'collected' ? null : readyForm(opened, ready)}
${visit.may('noteJobs') ? jobForm(visit, opened, refused) : null}
${mayHandle && isOn ? completeForm(opened) : null}
${trail}
</div></div>`,
  };
}

function warnings({ booking, beside }: OpenedBooking, workshop: WorkshopVisit['workshop']): SafeHtml | null {
  const said = [
    booking.cancelReason ? `Cancelled: ${booking.cancelReason}` : '',
    booking.emailBounce ? `E-mails come back: ${booking.emailBounce}` : '',
    beside.optedOut ? 'The customer has opted out of SMS.' : '',
    beside.notCome > 0 ? `Did not come ${beside.notCome === 1 ? 'once' : `${beside.notCome} times`}.` : '',
    beside.anywayReason ? `Booked anyway: ${beside.anywayReason}` : '',
    ...beside.tags.map((tag) => `Tag: ${tag}`),
  ].filter(Boolean);
  if (said.length === 0) return null;
  return html`<ul class="notice">${said.map((each) => html`<li>${textShown(each, workshop)}</li>`)}</ul>`;
}

function attendanceForm({ beside, path }: OpenedBooking): SafeHtml {
  return html`<section class="card">${changeForm({
    action: `${path}/attendance`,
    body: html`${hidden('seen', beside.attendance)}<fieldset><legend>Attendance</legend><div class="buttons">${attendanceStates.map((state) => html`<button class="button quiet" name="state" value="${state}" aria-pressed="${String(state === beside.attendance)}">${attendanceNames[state]}</button>`)}</div></fieldset>`,
  })}</section>`;
}

function confirmForm({ beside, path }: OpenedBooking, told: Told): SafeHtml {
  return html`<section class="card"><h2>Confirm it?</h2>${changeForm({
    action: `${path}/confirm`,
    version: beside.version,
    body: html`${tellFields(told, 'confirm')}<p class="buttons"><button class="button">Confirm</button></p>`,
  })}</section>`;
}

function readyForm({ path, beside }: OpenedBooking, told: Told): SafeHtml {
  return html`<section class="card"><h2>Is it done?</h2>${changeForm({
    action: `${path}/ready`,
    body: html`${hidden('seen', beside.attendance)}${tellFields(told, 'ready', beside.attendance !== 'ready')}<p class="buttons"><button class="button">Car is ready</button></p>`,
  })}</section>`;
}

function completeForm({ path, beside }: OpenedBooking): SafeHtml {
  return html`<section class="card">${changeForm({
    action: `${path}/complete`,
    version: beside.version,
    body: html`<p class="quiet">Collected and paid? Completing tells nobody.</p><p class="buttons"><button class="button quiet">Complete</button></p>`,
  })}</section>`;
}

/**
 * The way back after the time for Undo is over. `movedFrom`: the booking's time before its last change, RFC 3339; null: that
 * change did not move it.
 */
function putBack(
  { base }: WorkshopVisit,
  { booking, path }: OpenedBooking,
  movedFrom: string | null,
): SafeHtml | null {
  const isOn = booking.status === 'pending' || booking.status === 'confirmed';
  const href =
    booking.status === 'cancelled'
      ? `${base}/bookings/new?${String(new URLSearchParams({ like: booking.id }))}`
      : isOn && movedFrom !== null
        ? `${path}/move?${String(new URLSearchParams({ at: movedFrom }))}`
        : null;
  return href === null ? null : html`<p><a href="${href}">Put it back</a></p>`;
}

/** The booking's time before its last change, if that moved it. */
function movedFromOf([last]: readonly TrailEntry[]): string | null {
  const date = last?.action === 'booking.updated' ? last.before?.['date'] : null;
  return typeof date === 'string' ? date : null;
}

function story(visit: WorkshopVisit, { booking, beside, path }: OpenedBooking): SafeHtml {
  const { workshop, base } = visit;
  const mayMessage = visit.may('wordTexts') && booking.customer.phone !== null;
  return html`<section class="card"><div class="head"><h2>Said and sent</h2>${buttons(beside.conversationId === null ? null : linkButton('Conversation', `${base}/inbox/${beside.conversationId}`, 'quiet'), mayMessage ? linkButton('Message', `${path}/message`, 'quiet') : null, visit.may('changeBookings') && mayMessage ? linkButton('New quote', `${newQuotePath(base, booking.customerId, booking.car.rego)}&like=${booking.id}`, 'quiet') : null)}</div>${saidList(beside.said, workshop)}</section>`;
}
