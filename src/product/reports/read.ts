/** GET /reports/partner: a partner's activity between two local dates. */

import { isId } from '#base/values/id.ts';
import { daysBetween } from '#base/values/local-day.ts';
import { isTimezone, timezoneFault } from '#base/values/timezone.ts';
import { type FieldError, invalidFields, Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { readOld, tenSeconds } from '#platform/db/replica/read-old.ts';
import { knowsTimezone } from '#platform/db/time-zones.ts';
import type { Span } from './counting.ts';
import { type Counts, countsBy, none } from './counts.ts';
import { periodsBetween, spanOf } from './periods.ts';
import type { PartnerReport, PartnerReportQuery, ReportGroup } from './schema.ts';
import { type CountedRow, listReportWorkshops, type ReportWorkshop, readCounts } from './store.ts';

const daysAtMost = 366;
/** The same limit as for instants. */
const earliest = '1900-01-01';
const latest = '2199-12-31';

/** Counts may be ten seconds old. Throws 400 000001 that names every bad field, and 404 030001 for a workshop that the partner is not linked to. */
export async function readPartnerReport(
  { db, replica }: Pick<Context, 'db' | 'replica'>,
  partnerId: string,
  query: PartnerReportQuery,
): Promise<PartnerReport> {
  refuseInvalid(query);
  if (query.timezone !== undefined && !(await knowsTimezone(db, query.timezone)))
    throw invalidFields([{ field: 'timezone', message: 'is not in the time zones of this installation' }]);
  const { from, to, groupBy } = query;
  const workshops = await workshopsOf({ db }, partnerId, query);
  const workshopId = query.workshopId === undefined ? null : (workshops[0]?.id ?? null);
  const timezone = query.timezone ?? (workshopId === null ? 'UTC' : workshops[0]?.timezone) ?? 'UTC';
  // Which workshops a partner may ask about is never old.
  const count = (by: 'period' | 'workshop', spans: readonly Span[]) =>
    readOld({ db, replica }, tenSeconds, (old) => readCounts(old, by, { partnerId, workshopId, spans }));
  const frame = { success: true as const, from, to, timezone };

  if (groupBy === 'workshop') {
    const rows = byKey(await count('workshop', [spanOf(from, to, timezone)]));
    return { ...frame, ...withTotals(workshops.map(({ id }) => group(id, rows.get(id)))) };
  }
  const periods =
    groupBy === undefined
      ? [{ key: 'total', ...spanOf(from, to, timezone) }]
      : periodsBetween(from, to, timezone, groupBy);
  const rows = byKey(await count('period', periods));
  return {
    ...frame,
    ...withTotals(periods.map(({ key }, index) => group(key, rows.get(String(index + 1))))),
  };
}

function refuseInvalid({ from, to, timezone }: PartnerReportQuery): void {
  const errors: FieldError[] = [];
  for (const [field, date] of Object.entries({ from, to })) {
    if (date < earliest || date > latest)
      errors.push({ field, message: `must be from ${earliest} to ${latest}` });
  }
  const days = daysBetween(from, to) + 1;
  if (days < 1) errors.push({ field: 'to', message: `must not be before ${from}` });
  if (days > daysAtMost) {
    errors.push({
      field: 'to',
      message: `must be at most ${daysAtMost - 1} days after ${from}: ask for less at once`,
    });
  }
  if (timezone !== undefined && !isTimezone(timezone))
    errors.push({ field: 'timezone', message: `must be ${timezoneFault(timezone)}` });
  if (errors.length > 0) throw invalidFields(errors);
}

/** All linked workshops when grouping by workshop, and the named one. */
async function workshopsOf(
  { db }: Pick<Context, 'db'>,
  partnerId: string,
  { workshopId, groupBy }: PartnerReportQuery,
): Promise<ReportWorkshop[]> {
  if (workshopId === undefined) return groupBy === 'workshop' ? listReportWorkshops(db, partnerId, null) : [];
  const found = isId(workshopId) ? await listReportWorkshops(db, partnerId, workshopId) : [];
  if (found.length === 0) throw new Problem('030001');
  return found;
}

const byKey = (rows: readonly CountedRow[]) => new Map(rows.map((row) => [row.key, row]));

function group(key: string, row: CountedRow | undefined): ReportGroup {
  return { key, ...countsBy((name) => Number(row?.[name] ?? 0)) };
}

function withTotals(groups: ReportGroup[]): { groups: ReportGroup[]; totals: Counts } {
  const add = (sum: Counts, one: Counts) => countsBy((name) => sum[name] + one[name]);
  return { groups, totals: groups.reduce<Counts>(add, none) };
}
