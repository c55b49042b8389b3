/** The workshop blocks bays for a time, for whatever reason: a broken hoist, a holiday. They occupy places as bookings do. */

import { foundById, InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { oneLine } from '#base/values/one-line.ts';
import { normaliseString } from '#base/values/text.ts';
import { parseTypedPeriod } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import { type NewEntry, recordEntry } from '#platform/audit/record.ts';
import type { Context } from '#platform/context.ts';
import { type Block, deleteBlock, insertBlock, listBlocks } from '#product/availability/blocks/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import type { WorkshopBooking } from '../record.ts';
import { listOccupying } from './store.ts';

const reasonAtMost = 255;
const daysAtMost = 366;
const dayMs = 24 * 60 * 60_000;

/** As typed; times in the workshop's zone, `2030-03-03` or `2030-03-03 09:30`, or RFC 3339. */
export interface BlockInput {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** How many, or `all`; one unless given. */
  readonly bays?: string;
}

export interface ShownBlock extends Block {
  /** Of the workshop; IANA name. */
  readonly timezone: string;
}

export interface MadeBlock {
  readonly block: ShownBlock;
  /** The bookings in its time, which stay: the first 50. */
  readonly bookings: readonly WorkshopBooking[];
}

type Needed = Pick<Context, 'db' | 'clock'>;

/** Throws InvalidInput that names every bad option, OperatorError when there is no such workshop. */
export async function blockBays(
  { db, clock }: Needed,
  workshop: string,
  input: BlockInput,
  actor: Actor,
): Promise<MadeBlock> {
  const { workshopId, timezone } = await requireWorkshop(db, workshop);
  const { from, to: until, errors: wrongTimes } = parseTypedPeriod(input, timezone, clock.now());
  const errors: FieldError[] = [...wrongTimes];
  if (from !== null && until !== null) {
    if (until <= from) errors.push({ field: 'to', message: 'must be after from' });
    else if (until.getTime() - from.getTime() > daysAtMost * dayMs)
      errors.push({ field: 'to', message: `must be at most ${daysAtMost} days after from` });
  }
  const { bays = '1' } = input;
  const number = bays === 'all' ? null : Number(bays);
  if (number !== null && !(Number.isInteger(number) && number >= 1 && number <= 1_000)) {
    errors.push({ field: 'bays', message: 'must be all, or a whole number from 1 to 1000' });
  }
  const reason = oneLine(normaliseString(input.reason));
  if (reason === '' || reason.length > reasonAtMost) {
    errors.push({ field: 'reason', message: `must have 1 to ${reasonAtMost} characters` });
  }
  if (from === null || until === null || errors.length > 0) throw new InvalidInput(errors);

  const block = { id: newId(), from, until, bays: number, reason };
  const at = clock.now();
  await db.transaction(async (tx) => {
    await insertBlock(tx, workshopId, block, at);
    const { id: _, ...after } = block;
    await recordEntry(tx, { ...ofBlock(workshopId, block.id, actor, 'made', at), after });
  });
  return { block: { ...block, timezone }, bookings: await listOccupying(db, workshopId, from, until) };
}

/** Those that are not over yet. Throws OperatorError when there is no such workshop. */
export async function findBlocks({ db, clock }: Needed, workshop: string): Promise<ShownBlock[]> {
  const { workshopId, timezone } = await requireWorkshop(db, workshop);
  const blocks = await listBlocks(db, workshopId, clock.now());
  return blocks.map((block) => ({ ...block, timezone }));
}

/** Throws OperatorError when there is no such block. */
export async function unblockBays({ db, clock }: Needed, id: string, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const { workshopId, id: blockId, ...before } = await foundById('block', id, () => deleteBlock(tx, id));
    await recordEntry(tx, { ...ofBlock(workshopId, blockId, actor, 'ended', clock.now()), before });
  });
}

const ofBlock = (workshopId: string, id: string, actor: Actor, done: string, at: Date): NewEntry => ({
  ...{ actor, workshopId, subject: { kind: 'block', id }, action: `block.${done}`, at },
});
