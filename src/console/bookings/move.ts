/** /console/w/{slug}/bookings/{id}/move: another day and time. */
import { html } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { button, buttons, linkButton } from '#platform/pages/components.ts';
import { moveDays } from '#product/bookings/move-days.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import type { Against } from '#product/bookings/staff/options.ts';
import { changeOwn, conflictOfChange } from '#product/bookings/staff/update.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, enterButton, refusal } from '../frame/form.ts';
import { type Refused, refusalOf, submit, versionOf, versionShown } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { asTyped } from './as-typed.ts';
import { holdMsOf } from './change.ts';
import { doneAt } from './done.ts';
import { bookingFacts, nameOf } from './facts.ts';
import { followedByForm, type OpenedBooking, openBooking } from './open.ts';
import { proposed } from './proposed.ts';
import { isBoxChecked, isTold, type Told, tellFields, toldOf } from './tell.ts';
import {
  anywayOf,
  conflictFields,
  freeTimesFollow,
  freeTimesOf,
  timeSaidInForm,
  typedWhen,
  whenFields,
} from './when.ts';

/** A link with an invalid time, or one that clocks skip, is refused when the form opens. */
export async function askMove(visit: WorkshopVisit): Promise<ConsolePage> {
  const opened = await openBooking(visit);
  const { faults } = proposed(visit.query, opened.booking, visit.context.clock.now());
  if (faults.length === 0) return movePage(visit, opened, null);
  return { ...(await movePage(visit, opened, refusalOf(new InvalidInput(faults)))), isRefusal: true };
}

export async function move(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const opened = await openBooking(visit);
  const toOf = ({ against }: Against) => doneAt(opened.path, 'moved', { against, form });
  return submit(
    visit,
    async (key) => {
      const input = { to: typedWhen(form) };
      const options = {
        ...{ notify: isTold(form), anyway: anywayOf(form), actor, workshopId: workshop.workshopId },
        ...{ seen: versionOf(form), holdMs: holdMsOf(visit), asksClock: true, asksPastDay: true },
      };
      return toOf(await changeOwn(key.once(toOf), opened.booking, input, options));
    },
    async (refused) => movePage(visit, await openBooking(visit), refused),
  );
}

async function movePage(
  visit: WorkshopVisit,
  opened: OpenedBooking,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { context, form, query, request } = visit;
  const { booking, beside, path } = opened;
  const { timezone } = booking;
  const refused = asTyped(refusedBy);
  const now = context.clock.now();
  const { when } = proposed(request.method === 'POST' ? form : query, booking, now);
  const at = parseTypedTime(typedWhen({ ...when }), timezone, now);
  const [told, days, changes, against] = await Promise.all([
    toldOfMove(visit, booking, at ?? null),
    moveDays(context, booking.id, when.date, when.date),
    changesSince(visit, opened.booking.id, refused),
    at && conflictOfChange(context, booking.id, { to: at }),
  ]);
  return {
    title: `Move ${nameOf(booking, visit.workshop)}`,
    ...followedByForm(opened),
    current: 'Today',
    main: html`<h1>Move this booking</h1>${refusal(refused, changes)}
<div class="columns"><div class="stack"><section class="card"${freeTimesFollow(`${path}/move`)}>${changeForm({
      ...{ action: `${path}/move`, version: versionShown(form, refused, beside.version), id: 'booking' },
      body: html`${enterButton}${whenFields(when, refused)}
<p class="buttons"><button class="button quiet" formmethod="get" formaction="${path}/move" formnovalidate>Show that day</button></p>
${timeSaidInForm({ against, done: 'moved' })}
${tellFields(told, 'move')}
${conflictFields(refused, timezone, form['reason'] ?? '')}
${buttons(button('Move'), linkButton('Keep it', path, 'quiet'))}`,
    })}</section></div><div class="stack">${freeTimesOf(days, `${path}/move`, timezone, { against, done: 'moved' })}<section class="card"><h2>Now</h2>${bookingFacts(booking, visit)}</section></div></div>`,
  };
}

/**
 * The form opens with the booking's present time. Until another is chosen there is no text to preview, but the reasons against
 * texting are shown.
 */
async function toldOfMove(visit: WorkshopVisit, booking: WorkshopBooking, at: Date | null): Promise<Told> {
  const own = Date.parse(booking.date);
  const isOpen = at === null || at.getTime() === own;
  const told = await toldOf(visit, booking, { kind: 'moved', to: isOpen ? new Date(own + 60_000) : at });
  return { ...told, isOpen, isChecked: isBoxChecked(visit) };
}
