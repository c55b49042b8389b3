/** The dates of a report, from its address: a preset, or from one date to another. */
import { addDays, daysBetween } from '#base/values/local-day.ts';
import { type Form, readDate } from '#platform/pages/form.ts';
import type { Dates, PeriodName } from '#product/reports/periods.ts';

/** More than a year, so that a report can show a year and the months around it. */
export const daysAtMost = 400;
const earliest = '2000-01-01';
const latest = '2199-12-31';

export interface Preset extends Dates {
  readonly name: string;
  readonly label: string;
}

/** The dates of a preset on that day. Weeks begin on Monday. */
export function presetsOn(today: string): readonly Preset[] {
  const day = Temporal.PlainDate.from(today);
  const first = day.with({ day: 1 });
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const ends = (from: Temporal.PlainDate, to: Temporal.PlainDate): Dates => ({
    ...{ from: from.toString(), to: to.toString() },
  });
  const last = first.add({ months: 1 }).subtract({ days: 1 });
  return [
    { name: 'week', label: 'This week', ...ends(monday, monday.add({ days: 6 })) },
    { name: '4-weeks', label: 'Last 4 weeks', from: addDays(today, -27), to: today },
    { name: 'month', label: 'This month', ...ends(first, last) },
    {
      ...{ name: 'last-month', label: 'Last month' },
      ...ends(first.subtract({ months: 1 }), first.subtract({ days: 1 })),
    },
    { name: '12-months', label: '12 months', ...ends(first.subtract({ months: 11 }), last) },
  ];
}

export const usualPreset = '4-weeks';

export interface Asked {
  readonly dates: Dates;
  readonly by: PeriodName;
  /** Null: by its length. */
  readonly byChosen: PeriodName | null;
  /** The preset with these dates; null: none. */
  readonly preset: string | null;
}

export interface AskedFault {
  readonly field: 'from' | 'to' | 'by' | 'period';
  readonly message: string;
}

/** The dates of a query on that day, or all of its faults. */
export function readAsked(query: Form, today: string): Asked | readonly AskedFault[] {
  const presets = presetsOn(today);
  const { from = '', to = '', by = '', period = '' } = query;
  const faults: AskedFault[] = [];
  const isNamed = from === '' && to === '';
  const named = presets.find(({ name }) => name === (period || usualPreset));
  if (isNamed && named === undefined)
    faults.push({
      field: 'period',
      message: `Period must be one of ${presets.map(({ name }) => name).join(', ')}`,
    });
  if (!isNamed) faults.push(...datesFaults({ from, to }));
  if (by !== '' && !isPeriodName(by)) faults.push({ field: 'by', message: 'By must be day, week or month' });
  const dates = isNamed ? named : { from, to };
  if (faults.length > 0 || dates === undefined) return faults;
  const byChosen = isPeriodName(by) ? by : null;
  const same = presets.find((each) => each.from === dates.from && each.to === dates.to);
  return {
    dates: { from: dates.from, to: dates.to },
    ...{ by: byChosen ?? usualBy(dates), byChosen, preset: same?.name ?? null },
  };
}

function datesFaults({ from, to }: Dates): AskedFault[] {
  const faults: AskedFault[] = [];
  for (const [field, label, date] of [
    ['from', 'From', from],
    ['to', 'To', to],
  ] as const) {
    if (readDate(date) === undefined)
      faults.push({ field, message: `${label} must be a date like 2030-03-04` });
    else if (date < earliest || date > latest)
      faults.push({ field, message: `${label} must be from ${earliest} to ${latest}` });
  }
  if (faults.length > 0) return faults;
  const days = daysBetween(from, to) + 1;
  if (days < 1) faults.push({ field: 'to', message: 'To must not be before From' });
  if (days > daysAtMost)
    faults.push({
      field: 'to',
      message: `To must be at most ${daysAtMost - 1} days after From: ask for less at once`,
    });
  return faults;
}

const isPeriodName = (text: string): text is PeriodName => ['day', 'week', 'month'].includes(text);

/** Chosen so that a plot has few enough points. */
function usualBy({ from, to }: Dates): PeriodName {
  const days = daysBetween(from, to) + 1;
  return days <= 31 ? 'day' : days <= 120 ? 'week' : 'month';
}
