/**
 * Closing in one step: today is full, or bays are out of use from now on or for a whole day. Each is a block, and `unblockBays`
 * removes it.
 */

import { InvalidInput } from '#base/operator-error.ts';
import { localDay } from '#base/values/local-day.ts';
import { parseTypedDay, typedDayForms } from '#base/values/typed-time.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { findBegunBlock } from '#product/availability/blocks/store.ts';
import { freshRules } from '#product/availability/places/rules.ts';
import { lockWorkshop, requireWorkshop } from '#product/workshops/store.ts';
import { type ByStaff, judgeBlock, type MadeBlock, storeBlock, withBookings } from './block.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

interface Asked extends ByStaff {
  readonly workshopId: string;
}

const full = 'Full today';

/**
 * Blocks what is left of today until the close of business; existing bookings stay. A repeat returns the same block. Throws
 * InvalidInput when the workshop has closed for today.
 */
export async function fullToday(context: ChangeContext, { workshopId, actor }: Asked): Promise<MadeBlock> {
  const rest = await restOfToday(context, workshopId);
  const block = judgeBlock({ ...rest, bays: 'all', reason: full });
  return change(context, async ({ tx }) => {
    // A concurrent call waits here, and then finds the block.
    await lockWorkshop(tx, workshopId);
    const workshop = await requireWorkshop(tx, workshopId);
    const begun = await findBegunBlock(tx, workshopId, block);
    return begun === null
      ? storeBlock(tx, workshop, { block, at: rest.from, actor })
      : withBookings(tx, workshop, begun);
  });
}

export interface CloseBays extends Asked {
  /** A number, or `all`; default one. */
  readonly bays?: string;
  readonly reason: string;
  /** The whole of this day, in a form of `parseTypedDay`; absent: from now until the close of business. */
  readonly day?: string;
}

/** Throws InvalidInput that names every bad field. */
export async function closeBays(
  context: ChangeContext,
  { workshopId, bays, reason, day, actor }: CloseBays,
): Promise<MadeBlock> {
  const workshop = await requireWorkshop(context.db, workshopId);
  const words = { reason, ...(bays !== undefined && { bays }) };
  const at = context.clock.now();
  const block =
    day === undefined
      ? judgeBlock({ ...(await restOfToday(context, workshopId)), ...words })
      : wholeDay(day, words, { timezone: workshop.timezone, now: at });
  return change(context, ({ tx }) => storeBlock(tx, workshop, { block, at, actor }));
}

function wholeDay(
  typed: string,
  words: Pick<CloseBays, 'bays' | 'reason'>,
  { timezone, now }: { readonly timezone: string; readonly now: Date },
) {
  const date = parseTypedDay(typed, timezone, now);
  if (date === null) {
    const fault = { field: 'day', message: `must be ${typedDayForms}` };
    return judgeBlock({ ...words, from: null, until: null }, [fault]);
  }
  const { start, end } = localDay(date, timezone);
  const faults = end <= now.getTime() ? [{ field: 'day', message: 'is over' }] : [];
  return judgeBlock({ ...words, from: new Date(start), until: new Date(end) }, faults);
}

/** From now until the last closing time of today, by the workshop's local time. */
async function restOfToday({ db, clock }: Needed, workshopId: string): Promise<{ from: Date; until: Date }> {
  const rules = await freshRules(db, workshopId);
  const from = clock.now();
  const closesAt = rules?.dayOf(from.getTime()).closesAt ?? 0;
  if (closesAt <= from.getTime())
    throw new InvalidInput([{ field: 'day', message: 'is over: the workshop is closed by now' }]);
  return { from, until: new Date(closesAt) };
}
