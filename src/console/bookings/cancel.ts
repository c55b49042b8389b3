/** /console/w/{slug}/bookings/{id}/cancel: the question whether to cancel it, and what the customer would read. */
import { html } from '@remix-run/html-template';
import { button, buttons, linkButton, textArea } from '#platform/pages/components.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { giveStatus, readReason } from '#product/bookings/staff/status.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { holdMsOf } from './change.ts';
import { bookingFacts, nameOf } from './facts.ts';
import { followedByForm, type OpenedBooking, openBooking } from './open.ts';
import { isBoxChecked, isTold, type Told, tellFields, toldOf } from './tell.ts';

export const askCancel = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  cancelPage(visit, await openBooking(visit), null);

export async function cancel(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const opened = await openBooking(visit);
  const to = `${opened.path}?done=cancelled`;
  return submit(
    visit,
    async (key) => {
      await giveStatus(key.once(to), opened.booking.id, {
        ...{ status: 'cancelled', reason: form['reason'] || undefined, notify: isTold(form), actor },
        ...{ workshopId: workshop.workshopId, seen: versionOf(form), holdMs: holdMsOf(visit) },
      });
      return to;
    },
    async (refused) => cancelPage(visit, await openBooking(visit), refused),
  );
}

async function cancelPage(
  visit: WorkshopVisit,
  opened: OpenedBooking,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { booking, beside, path } = opened;
  const told = await toldOfCancelling(visit, booking);
  return {
    title: `Cancel ${nameOf(booking, visit.workshop)}`,
    ...followedByForm(opened),
    current: 'Today',
    main: html`<div class="stack narrow"><h1>Cancel this booking?</h1>
${refusal(refused, await changesSince(visit, opened.booking.id, refused))}
<section class="card">${bookingFacts(booking, visit)}</section>
<section class="card">${changeForm({
      action: `${path}/cancel`,
      version: beside.version,
      body: html`${textArea({ name: 'reason', label: 'Reason', max: 500, hint: 'The customer reads it, if they are told.', isUnmarked: true, value: visit.form['reason'], error: faultOf(refused, 'reason') })}
${tellFields({ ...told, isChecked: isBoxChecked(visit) }, 'cancel')}
${buttons(button('Cancel booking', 'danger'), linkButton('Keep it', path, 'quiet'))}`,
    })}</section></div>`,
  };
}

/** A reason that can't be stored is shown in no text. */
async function toldOfCancelling(visit: WorkshopVisit, booking: WorkshopBooking): Promise<Told> {
  const { reason, errors } = readReason(visit.form['reason'] || undefined);
  if (errors.length === 0) return toldOf(visit, booking, { kind: 'cancelled', reason });
  const told = await toldOf(visit, booking, { kind: 'cancelled', reason: null });
  return { ...told, isOpen: true, opensOnce: 'the reason can be stored' };
}
