/** Opts a customer in again who has agreed to SMS after an opt-out: the trail records how and when. */
import type { Clock } from '#base/clock.ts';
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isCalendarDate } from '#base/values/calendar-date.ts';
import { dateAt } from '#base/values/local-day.ts';
import { oneLine } from '#base/values/one-line.ts';
import { normaliseString } from '#base/values/text.ts';
import { type FieldError, Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { findNumberOf } from './apart/store.ts';
import { holdCustomer } from './hold.ts';
import { type Agreement, recordOptOut } from './opt-out.ts';
import { type CustomerRecord, requireCustomer } from './store.ts';

export interface OptIn {
  readonly workshopId: string;
  readonly customerId: string;
  /** The version that the form showed: only the opt-out that was seen is undone. Absent: any. */
  readonly seen?: number;
  /** As typed. */
  readonly agreement: Agreement;
  readonly actor: Actor;
}

/**
 * Idempotent; no SMS confirms it. Throws InvalidInput, which names every bad field (`how`, `on`); 404 040001, also for an erased
 * customer; 412 000010 when the customer has changed since, for example by another STOP.
 */
export async function optInAgain(
  context: ChangeContext,
  { workshopId, customerId, seen, agreement: typed, actor }: OptIn,
): Promise<CustomerRecord> {
  const { db, clock } = context;
  const { timezone } = await requireWorkshop(db, workshopId);
  const agreement = judge(typed, timezone, clock);
  return change(context, async ({ tx, now }) => {
    const held = await holdCustomer(tx, workshopId, customerId, seen);
    if (held.erasedAt !== null) throw new Problem('040001');
    if ((await findNumberOf(tx, workshopId, customerId))?.optedOut)
      throw new InvalidInput([
        { field: 'how', message: 'can be said by somebody who sees phone numbers alone' },
      ]);
    const of = { customerId, workshopId, optedOut: false, messageId: null, now, actor };
    await recordOptOut(tx, { ...of, agreement });
    return requireCustomer(tx, customerId);
  });
}

const lengths = { least: 3, most: 255 };

function judge({ how: typed, on }: Agreement, timezone: string, clock: Clock): Agreement {
  const how = oneLine(normaliseString(typed));
  const errors: FieldError[] = [];
  if (how.length < lengths.least || how.length > lengths.most)
    errors.push({ field: 'how', message: `must have ${lengths.least} to ${lengths.most} characters` });
  if (!isCalendarDate(on)) errors.push({ field: 'on', message: 'must be a date such as 2030-03-03' });
  else if (on > dateAt(clock.now().getTime(), timezone))
    errors.push({ field: 'on', message: 'must not be in the future' });
  if (errors.length > 0) throw new InvalidInput(errors);
  return { how, on };
}
