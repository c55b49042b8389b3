/** /console/w/{slug}/calls: callers who wait for a call-back, one row each; finished ones, and all. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { timeAgo } from '#base/values/time-ago.ts';
import { doneText } from '../bookings/done.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type Filters, filterLinks, filterOf } from '../lists/filters.ts';
import { listedAtMost } from '../lists/table.ts';
import { sinceOf } from '../waiting/store.ts';
import { type Call, type CallFilter, listCallers } from './store.ts';
import {
  aboutCall,
  calledBackMark,
  callerShown,
  markForm,
  outcomeMark,
  phoneShown,
  recordingLink,
  ringBack,
  waysOn,
} from './view.ts';

export const callFilters: Filters<CallFilter> = { waiting: 'Waiting', all: 'All', done: 'Done' };

export async function callList(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, base, query } = visit;
  const filter = filterOf(callFilters, query['filter']);
  const before = query['before'] ?? '';
  const now = context.clock.now();
  const calls = await listCallers(context.db, {
    ...{ workshopId: workshop.workshopId, filter, limit: listedAtMost },
    since: filter === 'waiting' ? sinceOf(context.clock).twoWeeks : null,
    before: isId(before) ? before : null,
  });
  await countShown(
    visit,
    calls.flatMap(({ customerId }) => customerId ?? []),
  );
  const path = `${base}/calls`;
  const last = calls.at(-1);
  const next = calls.length < listedAtMost || !last ? null : `${path}?filter=${filter}&before=${last.id}`;
  return {
    title: 'Calls',
    current: 'Calls',
    live: ['call', 'customer', 'clock'],
    said: doneText(query['done']),
    main: html`<div class="head"><h1>Calls</h1>${filterLinks(callFilters, path, filter)}</div>
<p class="quiet">${abouts[filter]}</p>
${calls.length === 0 ? html`<p class="card quiet">${empties[filter]}</p>` : html`<ul class="stack">${calls.map((call) => html`<li class="card" id="call-${call.id}">${callerRow(call, visit, { filter, now })}</li>`)}</ul>`}
${next === null ? null : html`<p><a class="button quiet" href="${next}">Next page</a></p>`}`,
  };
}

const abouts: Readonly<Record<CallFilter, string>> = {
  waiting: 'Nobody took their last call within two weeks, and nobody has called back.',
  all: 'The last call of each number.',
  done: 'Callers whose last call was answered, or who were called back.',
};

const empties: Readonly<Record<CallFilter, string>> = {
  waiting: 'Nobody waits to be called back.',
  all: 'No call yet.',
  done: 'None yet.',
};

function callerRow(
  call: Call,
  visit: WorkshopVisit,
  { filter, now }: { readonly filter: CallFilter; readonly now: Date },
): SafeHtml {
  const { workshop, base } = visit;
  const { id, calledAt, notes, bookingId, note } = call;
  const ringable = ringBack(call, workshop);
  const mark = visit.may('changeBookings') ? markForm(call, visit, { filter }) : null;
  return html`<p><strong>${callerShown(call, visit)}</strong> ${ringable === null ? phoneShown(call, workshop) : null} ${outcomeMark(call)} ${calledBackMark(call)}</p>
<p><a href="${base}/calls/${id}">${localDateTime(calledAt, workshop.timezone)}</a>, <strong>${timeAgo(calledAt, now)}</strong> <span class="quiet">${aboutCall(call, workshop)}</span></p>
${notes ? html`<p class="message">${textShown(notes, workshop)}</p>` : null}
${note === null ? null : html`<p class="quiet message">Called back: ${textShown(note, workshop)}</p>`}
${bookingId === null ? null : html`<p><a href="${base}/bookings/${bookingId}">Booked since</a></p>`}
${linked(recordingLink(call, workshop))}
<div class="buttons">${ringable}${mark}${waysOn(call, visit)}</div>`;
}

const linked = (link: SafeHtml | null) => (link === null ? null : html`<p>${link}</p>`);
