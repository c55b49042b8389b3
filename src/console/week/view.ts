/** The page of a week: seven days side by side, on a phone one below the other. */
import { readFileSync } from 'node:fs';
import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays } from '#base/values/local-day.ts';
import { proposal } from '../days/movable.ts';
import { type RefusedTool, toolDone } from '../days/tool-routes.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { scriptPath } from '../frame/files.ts';
import { refusal } from '../frame/form.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { column, countsOf, dayName, onDay } from './column.ts';
import { loadTable } from './load.ts';
import { type WeekDay, weekDays } from './read.ts';

const rules = readFileSync(new URL('../files/week.css', import.meta.url), 'utf8');

export function weekPage(
  visit: WorkshopVisit,
  days: readonly [WeekDay, ...WeekDay[]],
  { refused, tools }: { readonly refused: RefusedTool | null; readonly tools: SafeHtml | null },
): ConsolePage {
  const [{ date: from, today }] = days;
  const isMovable = visit.may('changeBookings');
  // The same hour of all days shares a row; a day on which clocks change has one hour more or less.
  const keys = [...new Set(days.flatMap(({ cells }) => cells.map(({ key }) => key)))].toSorted();
  const rowOf = (key: string) => keys.indexOf(key);
  const all = new Map(days.flatMap(onDay).map((booking) => [booking.id, booking]));
  return {
    title: 'Week',
    current: 'Week',
    isWide: true,
    live: ['booking', 'attendance', 'day', 'customer', 'settings', 'clock'],
    said: toolDone(visit.query),
    rules: `${rules}${rowRules(keys.length)}`,
    ...(isMovable ? { scripts: [scriptPath('day.mjs')] } : {}),
    main: html`${refused && refusal(refused.refused)}<div class="head"><h1>Week <span class="quiet">${dayName(days[0])} to ${dayName(days.at(-1) ?? days[0])}</span></h1>${weekLinks(visit, from, today)}</div>
<p>${countsOf([...all.values()])}</p>
<section aria-label="The week" tabindex="0" class="scroll"><div class="week">${days.map((day) => column(visit, day, rowOf, isMovable))}</div></section>
${loadTable(days, keys, dayName)}${tools}${isMovable ? proposal : null}`,
  };
}

/** The first row has the days' heads. */
function rowRules(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `.h${n}{grid-row:${n + 1}}`).join('');
  return `@media(min-width:48rem){.week{grid-template-rows:auto repeat(${Math.max(1, count)},auto)}${rows}}`;
}

function weekLinks({ base, may }: WorkshopVisit, from: string, today: string): SafeHtml {
  const to = (date: string) => `${base}/week${date === today ? '' : `?from=${date}`}`;
  return html`<form class="days" action="${base}/week"><a class="button quiet" href="${to(addDays(from, -weekDays))}" aria-label="The week before">‹</a>${from === today ? null : html`<a class="button quiet" href="${base}/week">This week</a>`}<a class="button quiet" href="${to(addDays(from, weekDays))}" aria-label="The week after">›</a><label class="unseen" for="from">Week of</label><input id="from" name="from" type="date" value="${from}"><button class="button quiet">Show</button><a class="button quiet" href="${base}/print?from=${from}">Print</a>${may('changeBookings') ? html`<a class="button quiet" href="${base}/week?${new URLSearchParams({ from, first: from < today ? today : from }).toString()}#close">Close days</a>` : null}</form>`;
}
