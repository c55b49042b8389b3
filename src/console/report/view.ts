/** The page of a report: its dates, its figures, then its sections with plots and tables. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { faults as faultList, field, linkButton, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { plotPatterns } from '#platform/pages/plot/tones.ts';
import { amountText } from '#platform/pages/texts.ts';
import { share, wonShare } from '#product/reports/workshop/counts.ts';
import type { WorkshopReport } from '#product/reports/workshop/read.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type Asked, type AskedFault, presetsOn } from './asked.ts';
import type { keptSince } from './kept.ts';
import { count, datesText, percent } from './names.ts';
import { beside, type Figure, figures } from './parts.ts';
import { bookingParts, quotesPart, textParts } from './sections.ts';

/** The form of the dates. */
export function chooser(
  { base }: Pick<WorkshopVisit, 'base'>,
  today: string,
  typed: Form,
  preset: string | null,
  faults: readonly AskedFault[] = [],
): SafeHtml {
  const fault = (name: string) => faults.find((each) => each.field === name)?.message;
  const options = [
    ['', 'What fits'],
    ['day', 'Day'],
    ['week', 'Week'],
    ['month', 'Month'],
  ].map(([value = '', label = '']) => ({ value, label }));
  return html`<ul class="presets" aria-label="Periods">${presetsOn(today).map(({ name, label }) => html`<li><a class="button quiet" href="${base}/report?period=${name}"${name === preset ? html` aria-current="true"` : null}>${label}</a></li>`)}</ul>
<form class="card dates" action="${base}/report">${field({ name: 'from', label: 'From', type: 'date', value: typed['from'], error: fault('from'), isUnmarked: true })}${field({ name: 'to', label: 'To', type: 'date', value: typed['to'], error: fault('to'), isUnmarked: true })}${select({ name: 'by', label: 'By', value: typed['by'], error: fault('by'), isUnmarked: true, options })}<button class="button">Show</button></form>`;
}

/** The page for invalid dates: nothing is counted. */
export const faultyView = (
  visit: Pick<WorkshopVisit, 'base' | 'query'>,
  today: string,
  faults: readonly AskedFault[],
): SafeHtml => html`<h1>Report</h1>${faultList(faults)}${chooser(visit, today, visit.query, null, faults)}`;

export interface ReportView {
  readonly report: WorkshopReport;
  readonly asked: Asked;
  readonly today: string;
  readonly kept: ReturnType<typeof keptSince>;
}

export async function reportView(visit: WorkshopVisit, shown: ReportView): Promise<SafeHtml> {
  const { base, workshop } = visit;
  const { report, asked, today, kept } = shown;
  const { dates, by, byChosen } = asked;
  const typed = { ...dates, by: byChosen ?? '' };
  const csv = (table: string) =>
    `${base}/report/csv?table=${table}&from=${dates.from}&to=${dates.to}&by=${by}`;
  const parts = { report, by, country: workshop.country, csv, kept };
  const [bookings, quotes, texts] = await Promise.all([
    bookingParts(parts),
    quotesPart(parts),
    textParts(parts),
  ]);
  return html`<div class="report">${plotPatterns}<div class="head"><h1>Report</h1>${linkButton('Download all as CSV', csv('all'), 'quiet')}</div>
${chooser(visit, today, typed, asked.preset)}
<p><strong>${datesText(dates)}</strong>, beside ${datesText(report.datesBefore)} before.</p>
${figures(figuresOf(shown, workshop.country))}
${bookings}${quotes}${texts}</div>`;
}

function figuresOf({ report, kept }: ReportView, country: string): Figure[] {
  const { totals, before, datesBefore } = report;
  const [now, then] = [totals.bookings, before.bookings];
  const won = wonShare(totals.quotes);
  const decided = totals.quotes.won + totals.quotes.lost + totals.quotes.expired;
  const isKept = (since: string) => datesBefore.from >= since;
  const gone = 'Not all of those before are kept';
  return [
    {
      ...{ name: 'Bookings', value: count(now.bookings), before: beside(now.bookings, then.bookings) },
      about: `${count(now.cancelled)} of them cancelled`,
    },
    {
      ...{ name: 'Did not come', value: count(now.notCome) },
      about: `${percent(share(now.notCome, now.due))} of ${count(now.due)} due by now`,
      before: `${count(then.notCome)} before, ${percent(share(then.notCome, then.due))}`,
    },
    {
      ...{ name: 'Quotes won', value: percent(won) },
      about: `${count(totals.quotes.won)} of ${count(decided)} decided: ${amountText(totals.quotes.wonValue, country)}`,
      before: isKept(kept.quotes)
        ? `${percent(wonShare(before.quotes))} before, ${amountText(before.quotes.wonValue, country)}`
        : gone,
    },
    {
      ...{ name: 'Texts sent', value: count(totals.texts.messagesSent) },
      about: `${count(totals.texts.smsSegments)} segments`,
      before: isKept(kept.texts) ? beside(totals.texts.messagesSent, before.texts.messagesSent) : gone,
    },
  ];
}
