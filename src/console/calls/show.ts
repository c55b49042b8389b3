/** /console/w/{slug}/calls/{id}: one call, whether somebody called back, and the other calls of the number. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { timeAgo } from '#base/values/time-ago.ts';
import { actorInWords, personOf } from '#platform/audit/words.ts';
import { facts, field } from '#platform/pages/components.ts';
import { namesOf } from '#product/people/names/store.ts';
import { doneText } from '../bookings/done.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { trailOf } from '../trail/view.ts';
import { followedBy, type OpenedCall, openCall } from './open.ts';
import { type Call, listCallsOf } from './store.ts';
import {
  calledBackMark,
  callerShown,
  lengthText,
  markForm,
  outcomeMark,
  phoneShown,
  recordingLink,
  ringBack,
  timesText,
  waysOn,
} from './view.ts';

const othersAtMost = 20;

export const showCall = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  callPage(visit, await openCall(visit), null);

/** `refused`: why it could not be marked. */
export async function callPage(
  visit: WorkshopVisit,
  { call }: Pick<OpenedCall, 'call'>,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, base, query } = visit;
  const { id, phone, calledAt, customerId, notes, source, partner, bookingId } = call;
  const { workshopId, timezone } = workshop;
  await countShown(visit, customerId === null ? [] : [customerId]);
  const [others, who, trail] = await Promise.all([
    phone === null ? [] : listCallsOf(context.db, { workshopId, phone, limit: othersAtMost }),
    whoOf(visit, call),
    visit.may('seeTrail') ? trailOf(visit, id) : null,
  ]);
  const mayMark = visit.may('changeBookings');
  const isWaiting = call.state === 'waiting';
  const note = isWaiting
    ? field({
        ...{ name: 'note', label: 'Note', value: visit.form['note'], error: faultOf(refused, 'note') },
        hint: 'What you agreed, or that nobody answered',
      })
    : null;
  return {
    title: 'A call',
    ...followedBy(call),
    current: 'Calls',
    said: doneText(query['done']),
    main: html`<div class="head"><h1>Call from ${callerShown(call, visit)}</h1>${outcomeMark(call)}</div>
${refusal(refused, refused?.isStale ? html`<p>${who}</p>${isWaiting ? null : unkept(visit)}` : null)}
<div class="columns"><div class="stack"><section class="card">${facts([
      ['Number', phoneShown(call, workshop)],
      ['When', html`${localDateTime(calledAt, timezone)}, ${timeAgo(calledAt, context.clock.now())}`],
      ['How often', timesText(call)],
      ['Length', lengthText(call)],
      ['Source', source && textShown(source, workshop)],
      ['Partner', partner],
      ['Recording', recordingLink(call, workshop)],
      ['Booking', bookingId && html`<a href="${base}/bookings/${bookingId}">Booked since</a>`],
    ])}${notes ? html`<p class="message">${textShown(notes, workshop)}</p>` : null}
<p class="buttons">${ringBack(call, workshop)}${waysOn(call, visit)}</p></section>
${call.outcome === 'answered' ? null : html`<section class="card"><h2>Call back</h2><p>${calledBackMark(call)} ${who}</p>${mayMark ? markForm(call, visit, { note }) : null}</section>`}
</div><div class="stack">${otherCalls(others, call, visit)}${trail}</div></div>
<p><a href="${base}/calls">All calls</a></p>`,
  };
}

/** The typed note, when its field is gone meanwhile. */
const unkept = ({ form }: WorkshopVisit): SafeHtml | null =>
  form['note'] ? html`<p>Your note was not kept: <span class="message">${form['note']}</span></p>` : null;

/** Words for the person who marked the call or undid the mark, with the time. */
async function whoOf(
  { context, workshop }: WorkshopVisit,
  { state, note, actor, at }: Call,
): Promise<SafeHtml> {
  if (actor === null || at === null) return html`Nobody has called back yet.`;
  const personId = personOf(actor);
  const names = personId === null ? null : await namesOf(context.db, [personId]);
  const who = actorInWords(actor, { person: names?.get(personId ?? '') ?? null });
  const when = localDateTime(at, workshop.timezone);
  return html`<strong>${who}</strong> ${state === 'called' ? 'called back' : 'said that nobody has called back yet'}, ${when}${note === null ? '.' : html`: <span class="message">${textShown(note, workshop)}</span>`}`;
}

function otherCalls(calls: readonly Call[], { id: ownId }: Call, visit: WorkshopVisit): SafeHtml | null {
  const { workshop, base } = visit;
  const others = calls.filter(({ id }) => id !== ownId);
  if (others.length === 0) return null;
  return html`<section class="card"><h2>Other calls of this number</h2><ol class="story">${others.map((call) => html`<li><a href="${base}/calls/${call.id}">${localDateTime(call.calledAt, workshop.timezone)}</a> ${outcomeMark(call)} ${calledBackMark(call)}</li>`)}</ol>${calls.length < othersAtMost ? null : html`<p class="quiet">The latest ${othersAtMost}.</p>`}</section>`;
}
