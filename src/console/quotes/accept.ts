/** /console/w/{slug}/quotes/{id}/accept: a customer accepts on the phone, with a time; a booking is made of it. */
import { html } from '@remix-run/html-template';
import { addDays, dateAt } from '#base/values/local-day.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { button, buttons, linkButton } from '#platform/pages/components.ts';
import { readDate } from '#platform/pages/form.ts';
import { hasTime } from '#platform/pages/month.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import { whyNoSms } from '#product/bookings/staff/telling.ts';
import { previewNewBooking } from '#product/notifications/new-booking-preview.ts';
import { findPageQuote } from '#product/quotes/page/store.ts';
import { quoteDays } from '#product/quotes/page/times.ts';
import { acceptOwn } from '#product/quotes/staff/accept.ts';
import { readQuoteTelling } from '#product/quotes/staff/store.ts';
import { asTyped } from '../bookings/as-typed.ts';
import { askedMark, isTicked, isTold, type Told, tellFields } from '../bookings/tell.ts';
import {
  anywayOf,
  conflictFields,
  freeTimesFollow,
  freeTimesOf,
  typedWhen,
  type When,
  whenAt,
  whenFields,
  whenTyped,
} from '../bookings/when.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, enterButton, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf, versionShown } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { quoteFacts } from './facts.ts';
import { followedByForm, isOffer, type OpenedQuote, openQuote } from './open.ts';

/** The number of days that are searched for a free time. */
const lookedThroughDays = 30;

/** A quote that can't be accepted redirects to its page, which shows its state. */
export async function askAccept(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const opened = await openQuote(visit);
  return isOffer(opened) ? acceptPage(visit, opened, null) : { to: opened.path };
}

export async function accept(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { quote, path } = await openQuote(visit);
  const to = `${path}?done=accepted`;
  return submit(
    visit,
    async (key) => {
      await acceptOwn(key.once(to), {
        ...{ workshopId: workshop.workshopId, timezone: workshop.timezone, quoteId: quote.id },
        ...{ bookingTime: typedWhen(form), notify: isTold(form), anyway: anywayOf(form), actor },
        seen: versionOf(form),
      });
      return to;
    },
    async (refused) => acceptPage(visit, await openQuote(visit), refused),
  );
}

async function acceptPage(
  visit: WorkshopVisit,
  opened: OpenedQuote,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { workshop, form: sent, query, request } = visit;
  const { timezone } = workshop;
  const { quote, beside, path } = opened;
  const form = request.method === 'POST' ? sent : query;
  const refused = asTyped(refusedBy);
  const { when, days } = await timesFor(visit, opened, form);
  const [told, changes] = await Promise.all([
    toldOfAcceptance(visit, opened, when),
    changesSince(visit, quote.id, refused),
  ]);
  const action = `${path}/accept`;
  return {
    title: `Accept the quote for ${quote.car.rego}`,
    ...followedByForm(opened),
    current: 'Quotes',
    main: html`<h1>Accept it for the customer</h1>${refusal(refused, changes)}
<div class="columns"><div class="stack"><section class="card"${freeTimesFollow(action)}>${changeForm({
      ...{ action, version: versionShown(sent, refused, beside.version), id: 'booking' },
      body: html`${enterButton}${askedMark}<p>They have said yes on the phone: when do they bring it?</p>${whenFields(when, refused)}
<p class="buttons"><button class="button quiet" formmethod="get" formaction="${action}" formnovalidate>Show that day</button></p>
${tellFields(told, 'new')}
${conflictFields(refused, timezone, sent['reason'] ?? '')}
${buttons(button('Accept and book'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div><div class="stack">${freeTimesOf(days, action, timezone)}<section class="card"><h2>The quote</h2>${quoteFacts(visit, opened)}</section></div></div>`,
  };
}

/** The values of the fields, by default with the first day that has a free time; and the free times of that day. */
async function timesFor(
  visit: WorkshopVisit,
  { quote }: OpenedQuote,
  form: WorkshopVisit['form'],
): Promise<{ readonly when: When; readonly days: readonly AvailabilityDay[] }> {
  const { context, workshop } = visit;
  const { timezone } = workshop;
  const now = context.clock.now();
  const found = await findPageQuote(context.db, quote.code);
  const daysOf = async (from: string, to: string) =>
    found === null || !found.isOpen ? [] : quoteDays(context, found)(from, to);
  const at = form['at'] ? parseTypedTime(form['at'], timezone, now) : null;
  const chosen = at === null ? null : whenAt(at, timezone);
  const date = chosen?.date ?? readDate(form['date']);
  const typed = { time: form['time'] ?? '', which: form['which'] };
  if (date !== undefined)
    return { when: chosen ?? whenTyped({ date, ...typed }, timezone, now), days: await daysOf(date, date) };
  const today = dateAt(now.getTime(), timezone);
  const days = await daysOf(today, addDays(today, lookedThroughDays));
  const first = days.find(hasTime);
  return {
    when: whenTyped({ date: first?.date ?? today, ...typed }, timezone, now),
    days: first === undefined ? [] : [first],
  };
}

/** The notice of the new booking, once its time is chosen. */
async function toldOfAcceptance(
  visit: WorkshopVisit,
  { quote }: OpenedQuote,
  { date, time }: When,
): Promise<Told> {
  const { context, workshop } = visit;
  const { workshopId, timezone } = workshop;
  const telling = await readQuoteTelling(context.db, quote.id);
  const why = telling === null ? 'erased' : whyNoSms(telling, context.config);
  const hasEmail = telling !== null && telling.email !== '' && !telling.emailBounced;
  const asked = { hasEmail, isDraft: true, isChecked: isTicked(visit, 'tell') };
  if (why !== null || quote.customer.phone === null) return { text: null, why, ...asked };
  const at = time ? parseTypedTime(`${date} ${time}`.trim(), timezone, context.clock.now()) : null;
  if (at === null) return { text: '', why: null, ...asked, isOpen: true, opensOnce: 'a time is chosen' };
  const sms = await previewNewBooking(context, {
    ...{ workshopId, phone: quote.customer.phone, date: at, isConfirmed: quote.partner === null },
    ...{ rego: quote.car.rego, name: quote.customer.name },
    services: quote.services.flatMap(({ title }) => title ?? []),
  });
  return { text: sms && textShown(sms.text, workshop), segments: sms?.segments, why: null, ...asked };
}
