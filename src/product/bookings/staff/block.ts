/** The workshop blocks bays for a time, for example for a broken hoist or a holiday. A block occupies places as a booking does. */

import { foundById, InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { oneLine } from '#base/values/one-line.ts';
import { normaliseString } from '#base/values/text.ts';
import { parseTypedPeriod } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import { type NewEntry, recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  type Block,
  countBlocks,
  deleteBlock,
  deleteSeries,
  insertBlock,
  listBlocks,
} from '#product/availability/blocks/store.ts';
import { requireWorkshop, type Workshop } from '#product/workshops/store.ts';
import type { WorkshopBooking } from '../record.ts';
import { listOccupying } from './store.ts';

const reasonAtMost = 255;
const daysAtMost = 366;
/** The most blocks of a workshop, those that are over not counted: each booking looks through them. */
export const blocksAtMost = 500;
const dayMs = 24 * 60 * 60_000;

/** As typed; times in the workshop's zone, `2030-03-03` or `2030-03-03 09:30`, or RFC 3339. */
export interface BlockInput {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** A number, or `all`; default one. */
  readonly bays?: string;
}

export interface ShownBlock extends Block {
  /** The workshop's; IANA name. */
  readonly timezone: string;
}

export interface MadeBlock {
  readonly block: ShownBlock;
  /** The bookings in its time, which stay unchanged: the first 50. */
  readonly bookings: readonly WorkshopBooking[];
}

type Needed = Pick<Context, 'db' | 'clock'>;

export interface ByStaff {
  readonly actor: Actor;
}

/** Throws InvalidInput that names every bad option, OperatorError when there is no such workshop. */
export async function blockBays(
  context: ChangeContext,
  named: string,
  input: BlockInput,
  by: ByStaff,
): Promise<MadeBlock> {
  const workshop = await requireWorkshop(context.db, named);
  const now = context.clock.now();
  const { from, to: until, errors: wrongTimes } = parseTypedPeriod(input, workshop.timezone, now);
  const errors: FieldError[] = [...wrongTimes];
  if (from !== null && until !== null) {
    if (until <= from) errors.push({ field: 'to', message: 'must be after from' });
    else if (until.getTime() - from.getTime() > daysAtMost * dayMs)
      errors.push({ field: 'to', message: `must be at most ${daysAtMost} days after from` });
  }
  const block = judgeBlock({ ...input, from, until }, errors);
  return change(context, ({ tx, now: at }) => storeBlock(tx, workshop, { block, at, ...by }));
}

/** Parses a block; `errors` are faults of its times, which are null then. Throws InvalidInput that names every fault. */
export function judgeBlock(
  {
    from,
    until,
    bays = '1',
    reason: typed,
  }: Pick<BlockInput, 'bays' | 'reason'> & { readonly from: Date | null; readonly until: Date | null },
  errors: readonly FieldError[] = [],
): Block {
  const faults = [...errors];
  const number = bays === 'all' ? null : Number(bays);
  if (number !== null && !(Number.isInteger(number) && number >= 1 && number <= 1_000)) {
    faults.push({ field: 'bays', message: 'must be all, or a whole number from 1 to 1000' });
  }
  const reason = oneLine(normaliseString(typed));
  if (reason === '' || reason.length > reasonAtMost) {
    faults.push({ field: 'reason', message: `must have 1 to ${reasonAtMost} characters` });
  }
  if (from === null || until === null || faults.length > 0) throw new InvalidInput(faults);
  return { id: newId(), from, until, bays: number, reason, seriesId: null };
}

/** Throws OperatorError when a workshop would have more than `blocksAtMost` closings that are not over. */
export async function refuseTooMany(
  tx: Queryable,
  workshopId: string,
  { more, at }: { readonly more: number; readonly at: Date },
): Promise<void> {
  if ((await countBlocks(tx, workshopId, at)) + more > blocksAtMost)
    throw new OperatorError(`a workshop has at most ${blocksAtMost} closings ahead: open some again first`);
}

/** Stores it in the caller's transaction; returns it with the bookings in its time. */
export async function storeBlock(
  tx: Queryable,
  { workshopId, timezone }: Pick<Workshop, 'workshopId' | 'timezone'>,
  { block, at, actor }: ByStaff & { readonly block: Block; readonly at: Date },
): Promise<MadeBlock> {
  await refuseTooMany(tx, workshopId, { more: 1, at });
  await insertBlock(tx, workshopId, block, at);
  const { id, seriesId: _, ...after } = block;
  await recordEntry(tx, { ...ofBlock(workshopId, id, actor, 'made', at), after });
  return withBookings(tx, { workshopId, timezone }, block);
}

/** A block in its displayed form, with the bookings in its time. */
export async function withBookings(
  db: Queryable,
  { workshopId, timezone }: Pick<Workshop, 'workshopId' | 'timezone'>,
  block: Block,
): Promise<MadeBlock> {
  const bookings = await listOccupying(db, workshopId, block.from, block.until);
  return { block: { ...block, timezone }, bookings };
}

/** The blocks that have not ended. Throws OperatorError when there is no such workshop. */
export async function findBlocks({ db, clock }: Needed, workshop: string): Promise<ShownBlock[]> {
  const { workshopId, timezone } = await requireWorkshop(db, workshop);
  const blocks = await listBlocks(db, workshopId, clock.now());
  return blocks.map((block) => ({ ...block, timezone }));
}

export interface Unblock extends ByStaff {
  /** Null: any workshop, for the operator. */
  readonly workshopId: string | null;
  readonly id: string;
  /** Also the others of its series that are not over. */
  readonly isSeries?: boolean;
}

/** Removes a block of any origin; returns how many are gone. Throws OperatorError when the workshop has no such block. */
export async function unblockBays(
  context: ChangeContext,
  { workshopId, id, actor, isSeries = false }: Unblock,
): Promise<number> {
  return change(context, async ({ tx, now: at }) => {
    const gone = await foundById('block', id, () => deleteBlock(tx, workshopId, id));
    const { workshopId: of, id: blockId, seriesId, ...block } = gone;
    const others =
      isSeries && seriesId !== null ? await deleteSeries(tx, { workshopId: of, seriesId, after: at }) : 0;
    const times = others + 1;
    const before = { ...block, ...(others > 0 && { times }) };
    await recordEntry(tx, { ...ofBlock(of, blockId, actor, 'ended', at), before });
    return times;
  });
}

const ofBlock = (workshopId: string, id: string, actor: Actor, done: string, at: Date): NewEntry => ({
  ...{ actor, workshopId, subject: { kind: 'block', id }, action: `block.${done}`, at },
});
