/** Closing over a span of days, once or each week or year: blocks that are made, and taken back, together. */
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { addDays, daysBetween, instantOf, localDay } from '#base/values/local-day.ts';
import { parseTypedDay, typedDayForms } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Block, insertBlocks } from '#product/availability/blocks/store.ts';
import { lockWorkshop, requireWorkshop, type Workshop } from '#product/workshops/store.ts';
import { judgeBlock, refuseTooMany } from './block.ts';
import { countOccupying } from './store.ts';

export const repeats = ['once', 'weekly', 'yearly'] as const;
type Repeat = (typeof repeats)[number];

/** How many closings one form may make. */
export const closingsAtMost = 60;
const daysAtMost = 366;
/** As of every time (specification: Times). */
const lastDay = '2199-12-31';

/** As typed; days as `parseTypedDay` takes them. */
export interface ClosingInput {
  readonly from: string;
  /** The last day; absent or empty: `from`. */
  readonly to?: string;
  /** `HH:MM` on the first day; absent or empty: from its beginning. */
  readonly begins?: string;
  /** `HH:MM` on the last day; absent or empty: until its end. */
  readonly ends?: string;
  /** One of `repeats`; absent or empty: once. */
  readonly repeat?: string;
  /** The last day on which a repetition may begin. */
  readonly until?: string;
  /** A number, or `all`; default one. */
  readonly bays?: string;
  readonly reason: string;
}

export interface ClosingSpan {
  readonly from: Date;
  readonly until: Date;
}

export interface MadeClosing {
  /** In order. All but one alone have the same `seriesId`. */
  readonly blocks: readonly Block[];
  /** IANA name. */
  readonly timezone: string;
  /** How many bookings lie in them, which stay; counted up to 1,000. */
  readonly bookings: number;
}

type Needed = Pick<Context, 'db' | 'clock'>;
type At = Pick<Workshop, 'timezone'> & { readonly now: Date };

/**
 * The spans that a form asks for, by local dates: a day of 23 or 25 hours is closed as it is. `errors` are faults by the input's
 * fields; there are no spans then.
 */
export function closingSpans(
  input: Omit<ClosingInput, 'bays' | 'reason'>,
  { timezone, now }: At,
): { readonly spans: readonly ClosingSpan[]; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const fault = (field: keyof ClosingInput, message: string) => errors.push({ field, message });
  const dayOf = (field: 'from' | 'to' | 'until', text: string) => {
    const date = parseTypedDay(text, timezone, now);
    if (date === null) fault(field, `must be ${typedDayForms}`);
    else if (field !== 'until' && date > lastDay) fault(field, 'must be before 2200');
    return date;
  };
  const timeOf = (field: 'begins' | 'ends') => {
    const text = input[field] ?? '';
    if (text !== '' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) fault(field, 'must be a time such as 09:30');
    return text === '' ? null : text;
  };
  const repeat = repeats.find((each) => each === (input.repeat || 'once'));
  if (repeat === undefined) fault('repeat', `must be one of ${repeats.join(', ')}`);
  const first = dayOf('from', input.from);
  const last = input.to ? dayOf('to', input.to) : first;
  const [begins, ends] = [timeOf('begins'), timeOf('ends')];
  const isRepeated = repeat === 'weekly' || repeat === 'yearly';
  const until = isRepeated && input.until ? dayOf('until', input.until) : null;
  if (isRepeated && !input.until) fault('until', 'is wanted: the last day on which it may begin again');
  if (errors.length > 0 || first === null || last === null || repeat === undefined)
    return { spans: [], errors };

  const length = daysBetween(first, last);
  if (length < 0) fault('to', 'must not be before from');
  else if (length >= daysAtMost) fault('to', `must be at most ${daysAtMost} days, the first one included`);
  if (until !== null && until < first) fault('until', 'must not be before from');
  if (errors.length > 0) return { spans: [], errors };

  const starts = startsOf(first, repeat, until);
  const spans = starts.map((date): ClosingSpan => {
    const [one, other] = [localDay(date, timezone), localDay(addDays(date, length), timezone)];
    return {
      from: new Date(begins === null ? one.start : instantOf(one, begins, 'from')),
      until: new Date(ends === null ? other.end : instantOf(other, ends, 'to')),
    };
  });
  const [span, next] = spans;
  if (span !== undefined && span.until <= span.from) fault('ends', 'must be after it begins');
  else if (span !== undefined && span.until <= now) fault('to', 'is over');
  if (span !== undefined && next !== undefined && next.from < span.until)
    fault('to', 'is after it begins again');
  if (spans.length > closingsAtMost)
    fault('until', `makes too many closings: at most ${closingsAtMost} are made at once`);
  return errors.length > 0 ? { spans: [], errors } : { spans, errors };
}

/** The first days, one more than may be made at most. A 29 February is the 28th in other years. */
function startsOf(first: string, repeat: Repeat, until: string | null): string[] {
  const day = Temporal.PlainDate.from(first);
  const starts = [first];
  if (repeat === 'once' || until === null) return starts;
  for (let n = 1; n <= closingsAtMost; n++) {
    const date = day.add(repeat === 'weekly' ? { weeks: n } : { years: n }).toString();
    if (date > until) break;
    starts.push(date);
  }
  return starts;
}

/** How many bookings lie in what a form asks for, counted up to 1,000; null: what was typed is no span. */
export async function countInClosing(
  { db, clock }: Needed,
  { workshopId, timezone }: Pick<Workshop, 'workshopId' | 'timezone'>,
  input: Omit<ClosingInput, 'bays' | 'reason'>,
): Promise<{ readonly closings: number; readonly bookings: number } | null> {
  const { spans } = closingSpans(input, { timezone, now: clock.now() });
  if (spans.length === 0) return null;
  return { closings: spans.length, bookings: await countOccupying(db, workshopId, spans) };
}

export interface CloseSpan extends ClosingInput {
  readonly workshopId: string;
  readonly actor: Actor;
}

/** Throws InvalidInput that names every bad field, OperatorError when there is no such workshop, or it would have too many closings. */
export async function closeSpan(
  context: ChangeContext,
  { workshopId: named, actor, bays, reason, ...typed }: CloseSpan,
): Promise<MadeClosing> {
  const { workshopId, timezone } = await requireWorkshop(context.db, named);
  const at = context.clock.now();
  const { spans, errors } = closingSpans(typed, { timezone, now: at });
  const words = { reason, ...(bays && { bays }) };
  const [first = null] = spans;
  const block = judgeBlock({ ...words, from: first?.from ?? null, until: first?.until ?? null }, errors);
  const seriesId = spans.length > 1 ? newId() : null;
  const blocks = spans.map((span, n) => ({ ...block, ...span, id: n === 0 ? block.id : newId(), seriesId }));
  return change(context, async ({ tx }) => {
    await lockWorkshop(tx, workshopId);
    await refuseTooMany(tx, workshopId, { more: blocks.length, at });
    await insertBlocks(tx, workshopId, blocks, at);
    const { id, seriesId: _, ...one } = block;
    const after = { ...one, ...(seriesId && { repeat: typed.repeat, times: blocks.length }) };
    await recordEntry(tx, {
      ...{ actor, workshopId, subject: { kind: 'block', id }, action: 'block.made', at },
      after,
    });
    return { blocks, timezone, bookings: await countOccupying(tx, workshopId, spans) };
  });
}
