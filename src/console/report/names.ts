/** Dates, periods and amounts of a report in words. */
import type { Dates, PeriodName } from '#product/reports/periods.ts';
import type { TextKind } from '#product/reports/workshop/read.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const monthOf = (date: Temporal.PlainDate) => months[date.month - 1] ?? '';
const dayAndMonth = (date: Temporal.PlainDate) => `${date.day} ${monthOf(date)}`;

/** `4 Mar 2030`, `4 – 10 Mar 2030`, `25 Feb – 3 Mar 2030`, `30 Dec 2029 – 5 Jan 2030`. */
export function datesText({ from, to }: Dates): string {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const end = `${dayAndMonth(last)} ${last.year}`;
  if (from === to) return end;
  if (first.year !== last.year) return `${dayAndMonth(first)} ${first.year} – ${end}`;
  return first.month === last.month ? `${first.day} – ${end}` : `${dayAndMonth(first)} – ${end}`;
}

/** The name of a period below a plot, and in full. A week has its ISO 8601 number; a cut week has its dates. */
export function periodLabel(
  { key, dates }: { readonly key: string; readonly dates: Dates },
  by: PeriodName,
): { readonly short: string; readonly long: string } {
  const first = Temporal.PlainDate.from(dates.from);
  const short = by === 'month' ? monthOf(first) : dayAndMonth(first);
  if (by === 'day') return { short, long: `${weekdays[first.dayOfWeek - 1]} ${datesText(dates)}` };
  if (by === 'week') return { short, long: `Week ${Number(key.slice(-2))}: ${datesText(dates)}` };
  const isWhole = first.day === 1 && dates.to === first.with({ day: first.daysInMonth }).toString();
  return { short, long: isWhole ? `${monthOf(first)} ${first.year}` : datesText(dates) };
}

/** Steps of the axis labels. */
export const labelSteps: Readonly<Record<PeriodName, readonly number[]>> = {
  day: [1, 2, 7, 14, 28, 56],
  week: [1, 2, 4, 8, 13],
  month: [1, 2, 3, 6],
};

export const count = (value: number): string => value.toLocaleString('en');

/** `42 %`; a dash when the total is 0. */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 100)} %`;

/** The kinds of texts. */
export const kindNames: Readonly<Record<TextKind['kind'], string>> = {
  partnerMessage: "Partners' messages",
  reply: 'Answers and messages of staff',
  confirmation: 'Confirmations of STOP and START',
  helpAnswer: 'Answers to HELP',
  bookingNotice: 'Notices of bookings',
  quoteNotice: 'Notices of quotes',
  carReady: 'Car is ready',
  serviceReminder: 'Service reminders',
  inboxDigest: 'Digests of answers, to the workshop',
  automation: 'Automations',
  blast: 'Blasts',
  inbound: 'From customers',
  reaction: 'Reactions of customers',
};

/** Bookings without a partner: it is not recorded whether staff or a customer made them. */
export const ownSource = 'The workshop itself and its booking page';
