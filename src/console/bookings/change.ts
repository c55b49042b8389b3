/** Changes of a booking from its page: each calls the verb of the API and the command line, with the person as actor. */

import type { Form } from '#platform/pages/form.ts';
import { type AttendanceState, attendanceStates } from '#product/bookings/attendance/store.ts';
import { readAttendanceState, setAttendance } from '#product/bookings/staff/attendance.ts';
import { markReady } from '#product/bookings/staff/ready.ts';
import { giveStatus } from '#product/bookings/staff/status.ts';
import { changeOwn } from '#product/bookings/staff/update.ts';
import { undoChange } from '#product/bookings/undo/undo.ts';
import type { ConsoleResponse } from '../frame/console-page.ts';
import { type FormKey, submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { readNext } from '../sign-in/next.ts';
import { jobChanges } from './job.ts';
import { type OpenedBooking, openBooking } from './open.ts';
import { bookingPage } from './show.ts';
import { isTold } from './tell.ts';

/** How long a person's change waits for an Undo. */
export const holdMsOf = ({ who }: WorkshopVisit): number => who.undoSeconds * 1_000;

const done = ({ path }: OpenedBooking, what: string) => `${path}?done=${what}`;

/** The response to a refused change: the booking's page in its present state. */
async function onItsPage(
  visit: WorkshopVisit,
  work: (opened: OpenedBooking, key: FormKey) => Promise<string>,
): Promise<ConsoleResponse> {
  const opened = await openBooking(visit);
  return submit(
    visit,
    (key) => work(opened, key),
    async (refused) => bookingPage(visit, await openBooking(visit), refused),
  );
}

/** Confirm and Complete. */
const give = (status: 'confirmed' | 'completed') => (visit: WorkshopVisit) =>
  onItsPage(visit, async (opened, key) => {
    const { actor, form, workshop } = visit;
    const { workshopId } = workshop;
    await giveStatus(key.once(done(opened, status)), opened.booking.id, {
      ...{ status, reason: undefined, notify: isTold(form), actor, workshopId },
      ...{ seen: versionOf(form), holdMs: holdMsOf(visit) },
    });
    return done(opened, status);
  });

export const confirm = give('confirmed');
export const complete = give('completed');

/** The attendance that the form showed, which serves as the version of these forms. */
const seenOf = (form: Form): AttendanceState | undefined =>
  attendanceStates.find((state) => state === form['seen']);

/** The page that the form stands on, at the booking's card: a path of this workshop's console; null: the booking's own. */
function backTo({ base, form }: WorkshopVisit, bookingId: string): string | null {
  const next = readNext(form['next']);
  if (next === null || !next.startsWith(`${base}/`)) return null;
  return `${next}${next.includes('?') ? '&' : '?'}done=marked#c-${bookingId}`;
}

export const attend = (visit: WorkshopVisit) =>
  onItsPage(visit, async (opened, key) => {
    const { actor, form, workshop } = visit;
    const state = readAttendanceState(form['state'] ?? '');
    const of = { workshopId: workshop.workshopId, bookingId: opened.booking.id };
    const to = backTo(visit, opened.booking.id) ?? done(opened, 'marked');
    await setAttendance(key.once(to), { ...of, state, seen: seenOf(form), actor });
    return to;
  });

export const ready = (visit: WorkshopVisit) =>
  onItsPage(visit, async (opened, key) => {
    const { actor, form, workshop } = visit;
    const said = done(opened, 'ready');
    await markReady(key.once(said), {
      ...{ workshopId: workshop.workshopId, bookingId: opened.booking.id, actor },
      ...{ seen: seenOf(form), tellCustomer: isTold(form), again: true, holdMs: holdMsOf(visit) },
    });
    return said;
  });

/** Saves the notes and parts of a job. The booking's partner hears of it, and nobody else. */
export const saveJob = (visit: WorkshopVisit) =>
  onItsPage(visit, async (opened, key) => {
    const { actor, form, workshop } = visit;
    await changeOwn(key.once(done(opened, 'changed')), opened.booking, jobChanges(visit, opened.booking), {
      ...{ notify: false, anyway: null, actor, workshopId: workshop.workshopId },
      seen: versionOf(form),
    });
    return done(opened, 'changed');
  });

export const undo = (visit: WorkshopVisit) =>
  onItsPage(visit, async (opened, key) => {
    const { actor, form, workshop } = visit;
    const { workshopId } = workshop;
    const eventId = form['event'] ?? '';
    await undoChange(key.once(done(opened, 'undone')), { workshopId, eventId, actor });
    return done(opened, 'undone');
  });
