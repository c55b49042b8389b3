/**
 * /console/w/{slug}/print?date=: the day on paper; print?from=: seven days for the board. Printing is recorded in the audit trail,
 * once a minute per person and sheet: browsers may fetch the page several times, or in advance.
 */
import { readFileSync } from 'node:fs';
import { html } from '@remix-run/html-template';
import { addDays, dateAt } from '#base/values/local-day.ts';
import { recordEntryOnce } from '#platform/audit/record.ts';
import { readDate } from '#platform/pages/form.ts';
import { readOfDays } from '../days/read.ts';
import { type ConsolePage, page } from '../frame/console-page.ts';
import { scriptPath } from '../frame/files.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { daySheet } from './day.ts';
import { dateOf } from './parts.ts';
import { type SheetDay, sheetOf } from './sheet.ts';
import { readJobs } from './store.ts';
import { weekSheet } from './week.ts';

const rules = readFileSync(new URL('../files/print.css', import.meta.url), 'utf8');
const samePrintSeconds = 60;
const weekDays = 7;

export const printPage = page('print', 'seeBookings', async (visit) => {
  const { query } = visit;
  const isWeek = query['from'] !== undefined;
  const asked = isWeek ? query['from'] : query['date'];
  const { clock } = visit.context;
  const today = dateAt(clock.now().getTime(), visit.workshop.timezone);
  const from = asked === undefined ? today : readDate(asked);
  if (from === undefined) return notADate(isWeek ? 'from' : 'date');
  const days = await sheetOf(visit.oldReads, visit.workshop, from, isWeek ? weekDays : 1);
  const [first] = days;
  if (first === undefined) return notADate('date');
  if (from !== today)
    await countShown(
      visit,
      days.flatMap(({ bookings }) => bookings.map(({ customerId }) => customerId)),
    );
  await remember(visit, isWeek ? 'workshop.weekPrinted' : 'workshop.dayPrinted', from);
  return isWeek ? week(visit, days, from) : day(visit, first, from);
});

const sheetPage = { current: 'More', isWide: true, rules, scripts: [scriptPath('print.mjs')] } as const;
const printButton = html`<button class="button" type="button" data-print>Print</button>`;

async function day(visit: WorkshopVisit, first: SheetDay, date: string): Promise<ConsolePage> {
  const { context, oldReads, workshop, base } = visit;
  const ids = first.bookings.map(({ id }) => id);
  const found = await readOfDays(oldReads, workshop, date, (db) => readJobs(db, workshop.workshopId, ids));
  const jobs = new Map(found.map((job) => [job.id, job]));
  return {
    ...{ ...sheetPage, title: `Bookings of ${dateOf(first)}` },
    main: html`<p class="buttons controls">${printButton}<a class="button quiet" href="${base}/print?from=${date}">The week's list</a><a class="button quiet" href="${base}/today?date=${date}">Back to the day</a></p>${daySheet(visit, first, jobs, context.clock.now())}`,
  };
}

function week(visit: WorkshopVisit, days: readonly SheetDay[], from: string): ConsolePage {
  const { base, context } = visit;
  const to = (start: string) => `${base}/print?from=${start}`;
  return {
    ...{ ...sheetPage, title: `Seven days from ${days[0] && dateOf(days[0])}` },
    main: html`<p class="buttons controls">${printButton}<a class="button quiet" href="${to(addDays(from, -weekDays))}" aria-label="The week before">‹</a><a class="button quiet" href="${to(addDays(from, weekDays))}" aria-label="The week after">›</a><a class="button quiet" href="${base}/print?date=${from}">The day</a></p>${weekSheet(visit, days, context.clock.now())}`,
  };
}

const notADate = (name: string): ConsolePage => ({
  ...{ title: 'Print', current: 'More', isRefusal: true },
  main: html`<h1>Print</h1><p class="notice bad refused">The address asks for no date: ${name} must be like 2030-03-04.</p>`,
});

async function remember(
  { context, workshop, actor }: WorkshopVisit,
  action: string,
  date: string,
): Promise<void> {
  const { workshopId } = workshop;
  const subject = { kind: 'workshop', id: workshopId };
  const entry = { actor, workshopId, subject, action, after: { date }, at: context.clock.now() };
  await recordEntryOnce(context.db, entry, samePrintSeconds);
}
