/** /console/w/{slug}/report: counts of bookings, quotes and texts; report/csv: a table of it as a file. */
import { readFileSync } from 'node:fs';
import { dateAt } from '#base/values/local-day.ts';
import { Problem } from '#errors.ts';
import { readWorkshopReport, type WorkshopReport } from '#product/reports/workshop/read.ts';
import { page, type WorkshopRoute } from '../frame/console-page.ts';
import { countTaken } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type Asked, type AskedFault, readAsked } from './asked.ts';
import { csvOf } from './csv.ts';
import { keptSince } from './kept.ts';
import { isTableName, tables } from './tables.ts';
import { faultyView, reportView } from './view.ts';

const rules = readFileSync(new URL('../files/report.css', import.meta.url), 'utf8');
const frame = { title: 'Report', current: 'More', rules } as const;

const todayOf = ({ context, workshop }: WorkshopVisit): string =>
  dateAt(context.clock.now().getTime(), workshop.timezone);

const isFaulty = (asked: Asked | readonly AskedFault[]): asked is readonly AskedFault[] =>
  Array.isArray(asked);

const reportOf = (
  { context, oldReads, workshop }: WorkshopVisit,
  { dates, by }: Asked,
): Promise<WorkshopReport> =>
  readWorkshopReport(oldReads, workshop, { ...dates, by, now: context.clock.now() });

const reportPage = page('report', 'seeReport', async (visit) => {
  const today = todayOf(visit);
  const asked = readAsked(visit.query, today);
  if (isFaulty(asked)) return { ...frame, isRefusal: true, main: faultyView(visit, today, asked) };
  const report = await reportOf(visit, asked);
  const kept = keptSince(visit.context.config, today);
  return { ...frame, main: await reportView(visit, { report, asked, today, kept }) };
});

/** Throws 404 for an unknown table. */
const reportCsv = page('report/csv', 'seeReport', async (visit) => {
  const today = todayOf(visit);
  const asked = readAsked(visit.query, today);
  const name = visit.query['table'] ?? 'all';
  if (isFaulty(asked)) return { ...frame, isRefusal: true, main: faultyView(visit, today, asked) };
  if (!isTableName(name)) throw new Problem('000002');
  await countTaken(visit, 'report');
  const { from, to } = asked.dates;
  return {
    fileName: `report-${visit.workshop.slug}-${name}-${from}-to-${to}.csv`,
    type: 'text/csv; charset=utf-8',
    pieces: csvOf(tables[name](await reportOf(visit, asked), asked.by)),
  };
});

export const reportRoutes: readonly WorkshopRoute[] = [reportPage, reportCsv];
