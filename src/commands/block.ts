/** `pitlane booking block|blocks|unblock`: bays that are out of use for a time. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { typedTimeForms } from '#base/values/typed-time.ts';
import type { BlockInput, ShownBlock } from '#product/bookings/staff/block.ts';
import { blockMade } from './block-today.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at } from './times.ts';
import { verb } from './verb.ts';
import { workshopOf } from './workshop-option.ts';

const zone = `in the workshop's time zone: ${typedTimeForms} (required)`;
const example =
  'booking block carlton-motors --from "2030-03-04 09:00" --to "2030-03-04 12:00" --reason "Hoist 2 is serviced"';

export function registerBlock(booking: Command): void {
  const block = {
    usage: 'block [workshop]',
    summary:
      'block bays for a time: nobody is offered them; bookings that are there already stay, and are listed',
    examples: [example, `${example} --bays all`],
  };
  verb<BlockInput & { json?: true }>(booking, block, ([workshop], input) =>
    withSession(async (session) => {
      const { blockBays } = await import('#product/bookings/staff/block.ts');
      const { workshopId } = await workshopOf(session, workshop);
      return blockMade(await blockBays(session, workshopId, input, { actor: actors.operator }));
    }),
  )
    .requiredOption('--from <time>', `from this time on, ${zone}`)
    .requiredOption('--to <time>', 'until this time (required)')
    .requiredOption('--reason <text>', 'why, for staff (required)')
    .option('--bays <number>', 'how many bays, or all; 1 unless given');

  const blocks = {
    usage: 'blocks [workshop]',
    summary: 'list the blocks of a workshop that are not over',
    examples: ['booking blocks carlton-motors'],
    times: true,
  };
  verb(booking, blocks, ([workshop]) =>
    withSession(async (session) => {
      const { findBlocks } = await import('#product/bookings/staff/block.ts');
      const found = await findBlocks(session, (await workshopOf(session, workshop)).workshopId);
      return { json: found, text: table(found, columns) };
    }),
  );

  const unblock = {
    usage: 'unblock <block>',
    summary: 'end a block: its bays are free again',
    examples: ['booking unblock 0198c6b1-…', 'booking unblock 0198c6b1-… --series'],
  };
  verb<{ series?: true }>(booking, unblock, ([id = ''], { series }) =>
    withSession(async (session) => {
      const { unblockBays } = await import('#product/bookings/staff/block.ts');
      const by = { workshopId: null, actor: actors.operator };
      const ended = await unblockBays(session, { ...by, id, isSeries: series === true });
      const text = ended === 1 ? `block ${id} is ended` : `${ended} blocks are ended`;
      return { json: { id, ended }, text };
    }),
  ).option('--series', 'also the others that were made with it by --repeat and are not over');
}

const local = (block: ShownBlock, side: 'from' | 'until') => at(block[side], block.timezone);

const columns = {
  ID: (row: ShownBlock) => row.id,
  FROM: (row: ShownBlock) => local(row, 'from'),
  TO: (row: ShownBlock) => local(row, 'until'),
  BAYS: (row: ShownBlock) => row.bays ?? 'all',
  REASON: (row: ShownBlock) => row.reason,
};
