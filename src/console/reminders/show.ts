/** /console/w/{slug}/reminders/{id}: one reminder with its text, Send now and Stop. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { Problem } from '#errors.ts';
import { facts } from '#platform/pages/components.ts';
import { messageOf } from '#product/reminders/schedule/message.ts';
import { whyNot } from '#product/reminders/schedule/send-now.ts';
import { type DueReminder, findScheduled } from '#product/reminders/schedule/store.ts';
import { sampleCode } from '#product/way-out/way-out.ts';
import { doneText } from '../bookings/done.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import { nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { saidList } from '../said/view.ts';
import { changesSince } from '../trail/since.ts';
import { trailOf } from '../trail/view.ts';
import { findReminder, listSent, type Reminder } from './store.ts';
import { optedOutMark, reminderCar, reminderMark } from './view.ts';

/** Throws 404, also for a reminder of another workshop. */
export async function openReminder({ context, workshop, params }: WorkshopVisit): Promise<Reminder> {
  const id = params['id'] ?? '';
  const reminder = isId(id) ? await findReminder(context.db, workshop.workshopId, id) : null;
  if (reminder === null) throw new Problem('000002');
  return reminder;
}

export const showReminder = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  reminderPage(visit, await openReminder(visit), null);

/** `refused`: why it could not be sent or stopped. */
export async function reminderPage(
  visit: WorkshopVisit,
  reminder: Reminder,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, base, query } = visit;
  const { id, customerId, dueAt, sentAt, partner, lastBookingId, newBookingId } = reminder;
  const { workshopId, timezone } = workshop;
  await countShown(visit, [customerId]);
  const [scheduled, sent, trail, changes] = await Promise.all([
    findScheduled(context.db, { workshopId, reminderId: id }),
    listSent(context.db, workshopId, id),
    visit.may('seeTrail') ? trailOf(visit, id) : null,
    changesSince(visit, id, refused),
  ]);
  const booking = (name: string, bookingId: string | null) =>
    bookingId && html`<a href="${base}/bookings/${bookingId}">${name}</a>`;
  return {
    title: 'A reminder',
    ...{ live: [`reminder:${id}`, `customer:${customerId}`, `message:${customerId}`], current: 'More' },
    version: `${reminder.version} ${reminder.isTaken}`,
    said: doneText(query['done']),
    main: html`<div class="head"><h1>Reminder for ${nameShown(reminder.customer, workshop)}</h1>${reminderMark(reminder)}</div>
${refusal(refused, changes)}
<div class="columns"><div class="stack"><section class="card">${facts([
      ['Due', localDateTime(dueAt, timezone)],
      ['Sent', sentAt && localDateTime(sentAt, timezone)],
      [
        'Customer',
        html`<a href="${base}/customers/${customerId}">${nameShown(reminder.customer, workshop)}</a> ${optedOutMark(reminder)}`,
      ],
      ['Phone', phoneLink(reminder.phone, workshop)],
      ['Car', reminderCar(reminder, workshop)],
      ['Partner', partner],
      ['After', booking('The last booking', lastBookingId)],
      ['Booked', booking('The new booking', newBookingId)],
    ])}</section>
${scheduled === null ? null : waiting(visit, reminder, scheduled)}
</div><div class="stack"><section class="card"><h2>What was sent</h2>${saidList(sent, workshop)}</section>${trail}</div></div>
<p><a href="${base}/reminders">All reminders</a></p>`,
  };
}

/** The forms of a reminder that is not sent yet. */
function waiting(
  { context, workshop, base }: WorkshopVisit,
  reminder: Reminder,
  scheduled: DueReminder,
): SafeHtml {
  const { id, version, optedOut } = reminder;
  const path = `${base}/reminders/${id}`;
  const { message } = messageOf(scheduled, context.config, { keepsQuiet: false, code: sampleCode });
  const fault = optedOut ? 'the customer has opted out of SMS' : whyNot(scheduled, context.config);
  return html`<section class="card" id="send"><h2>The text</h2><blockquote class="sms message">${textShown(message.body, workshop)}</blockquote>
${fault === null ? changeForm({ action: `${path}/send`, version, body: html`<p class="quiet">It goes out at once, and then no more when it is due.</p><p class="buttons"><button class="button">Send now</button></p>` }) : html`<p class="notice bad">It can't be sent: ${fault}.</p>`}</section>
<section class="card" id="stop"><h2>Not wanted?</h2>${changeForm({ action: `${path}/stop`, version, body: html`<p class="quiet">It is not sent then, and the partner hears of it. This can't be undone.</p><p class="buttons"><button class="button danger">Stop</button></p>` })}</section>`;
}
