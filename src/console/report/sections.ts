/** The sections of a report: each has a plot, an explanation and tables. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { barList } from '#platform/pages/plot/bars.ts';
import { columnsPlot } from '#platform/pages/plot/columns.ts';
import type { Series } from '#platform/pages/plot/geometry.ts';
import type { Tone } from '#platform/pages/plot/tones.ts';
import type { PeriodName } from '#product/reports/periods.ts';
import type { Numbers, WorkshopReport } from '#product/reports/workshop/read.ts';
import type { keptSince } from './kept.ts';
import { count, datesText, kindNames, labelSteps, ownSource, periodLabel } from './names.ts';
import { openedTable } from './parts.ts';
import { type TableName, tables } from './tables.ts';

export interface Parts {
  readonly report: WorkshopReport;
  readonly by: PeriodName;
  readonly country: string;
  /** The address of the file of a table. */
  csv(table: TableName): string;
  readonly kept: ReturnType<typeof keptSince>;
}

type Line = readonly [name: string, tone: Tone, of: (numbers: Numbers) => number];

function overTime(
  { report, by }: Parts,
  id: string,
  title: string,
  lines: readonly Line[],
): Promise<SafeHtml> {
  const series = lines.map(([name, tone, of]): Series & { tone: Tone } => ({
    ...{ name, tone },
    values: report.periods.map(of),
  }));
  return columnsPlot({
    ...{ id, title: `${title} by ${by}`, series, steps: labelSteps[by] },
    labels: report.periods.map((period) => periodLabel(period, by)),
    empty: 'None in these dates.',
  });
}

const opened = ({ report, by, country, csv }: Parts, name: TableName): SafeHtml | null =>
  openedTable(tables[name](report, by), country, csv(name));

export async function bookingParts(parts: Parts): Promise<SafeHtml> {
  const { sources } = parts.report;
  const [plot, absent, bars] = await Promise.all([
    overTime(parts, 'plot-bookings', 'Bookings', [
      ['Completed', 'solid', ({ bookings }) => bookings.completed],
      ['Confirmed', 'striped', ({ bookings }) => bookings.confirmed],
      ['Pending', 'dotted', ({ bookings }) => bookings.pending],
      ['Cancelled', 'outlined', ({ bookings }) => bookings.cancelled],
    ]),
    overTime(parts, 'plot-absent', 'Did not come', [
      ['Did not come', 'solid', ({ bookings }) => bookings.notCome],
    ]),
    barList(
      'Bookings by source',
      sources
        .filter(({ now }) => now.bookings > 0)
        .map(({ partner, now, before }) => ({
          ...{ label: partner ?? ownSource, value: now.bookings },
          said: `${count(now.bookings)} (${count(before.bookings)} before)`,
        })),
    ),
  ]);
  return html`<section class="card"><h2>Bookings</h2><p class="quiet">By the day that they are for, with the status of now.</p>${plot}${opened(parts, 'bookings')}</section>
<section class="card"><h2>Where bookings come from</h2>${sources.some(({ now }) => now.bookings > 0) ? bars : html`<p class="quiet">No booking in these dates.</p>`}${opened(parts, 'sources')}</section>
<section class="card"><h2>Did not come</h2><p class="quiet">Bookings whose attendance is "Did not come", by their day.</p>${absent}</section>`;
}

export async function quotesPart(parts: Parts): Promise<SafeHtml> {
  const plot = await overTime(parts, 'plot-quotes', 'Quotes', [
    ['Won', 'solid', ({ quotes }) => quotes.won],
    ['Lost or expired', 'striped', ({ quotes }) => quotes.lost + quotes.expired],
    ['Open', 'dotted', ({ quotes }) => quotes.waiting],
    ['Declined without a price', 'outlined', ({ quotes }) => quotes.turnedDown],
  ]);
  return html`<section class="card"><h2>Quotes</h2><p class="quiet">By the day that they were asked for, with their present state. Of those with a price, "won" is what customers accepted; the share won is of those that were decided or have expired.</p>${missing(parts, 'quotes', 'Quotes that nothing came of')}${plot}${opened(parts, 'quotes')}</section>`;
}

export async function textParts(parts: Parts): Promise<SafeHtml> {
  const { kinds } = parts.report;
  const sent = kinds.filter(({ now }) => now.messagesSent > 0);
  const [plot, bars] = await Promise.all([
    overTime(parts, 'plot-texts', 'Segments sent', [
      ['Segments sent', 'solid', ({ texts }) => texts.smsSegments],
    ]),
    barList(
      'Segments by kind',
      sent.map(({ kind, now }) => ({
        ...{ label: kindNames[kind], value: now.smsSegments },
        said: `${count(now.smsSegments)} in ${count(now.messagesSent)} texts`,
      })),
    ),
  ]);
  return html`<section class="card"><h2>Texts</h2><p class="quiet">Segments of the SMS that a gateway accepted, which is what it charges for, by the day on which they were made.</p>${missing(parts, 'texts', 'Notices')}${plot}${opened(parts, 'texts')}</section>
<section class="card"><h2>What is texted</h2>${sent.length > 0 ? bars : html`<p class="quiet">No text was sent in these dates.</p>`}${opened(parts, 'kinds')}</section>`;
}

/** The note for dates of which records were deleted. */
function missing({ report, kept }: Parts, of: keyof Parts['kept'], what: string): SafeHtml | null {
  const since = kept[of];
  if (report.dates.from >= since) return null;
  return html`<p class="notice info">${what} from before ${datesText({ from: since, to: since })} are deleted by now, and are not counted.</p>`;
}
