/** `pitlane booking full|close|note`: closes a day in one step, and keeps staff's note of a day. */
import type { Command } from 'commander';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { typedDayForms } from '#base/values/typed-time.ts';
import type { MadeBlock, ShownBlock } from '#product/bookings/staff/block.ts';
import type { MadeClosing } from '#product/bookings/staff/close-span.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { verb } from './verb.ts';
import { workshopOf } from './workshop-option.ts';

const by = { actor: actors.operator } as const;

export function registerClosing(booking: Command): void {
  const full = {
    usage: 'full [workshop]',
    summary: 'offer nothing of today any more, until the close of business; bookings that are there stay',
    examples: ['booking full carlton-motors'],
  };
  verb(booking, full, ([workshop]) =>
    withSession(async (session) => {
      const { fullToday } = await import('#product/bookings/staff/close.ts');
      const { workshopId } = await workshopOf(session, workshop);
      return blockMade(await fullToday(session, { workshopId, ...by }));
    }),
  );

  const close = {
    usage: 'close [workshop]',
    summary:
      'close bays from now until the close of business, for a whole day, or over days, each week or year too',
    examples: [
      'booking close carlton-motors --reason "Hoist 2 is broken"',
      'booking close carlton-motors --day tomorrow --bays all --reason "Stocktaking"',
      'booking close carlton-motors --from 2030-12-23 --to 2031-01-05 --bays all --reason "Holiday" --repeat yearly --until 2033-12-31',
    ],
  };
  verb<CloseOptions>(booking, close, ([workshop], { day, from, to, begins, ends, repeat, until, ...words }) =>
    withSession(async (session) => {
      const { workshopId } = await workshopOf(session, workshop);
      const over = { to, begins, ends, repeat, until };
      const given = Object.entries(over).filter(([, value]) => value !== undefined);
      if (from === undefined) {
        if (given.length > 0) throw new InvalidInput(given.map(([field]) => ({ field, message: needsFrom })));
        const { closeBays } = await import('#product/bookings/staff/close.ts');
        return blockMade(await closeBays(session, { workshopId, ...words, ...(day && { day }), ...by }));
      }
      if (day !== undefined) throw new InvalidInput([{ field: 'day', message: 'does not go with --from' }]);
      const { closeSpan } = await import('#product/bookings/staff/close-span.ts');
      return closingMade(
        await closeSpan(session, { workshopId, from, ...Object.fromEntries(given), ...words, ...by }),
      );
    }),
  )
    .requiredOption('--reason <text>', 'why, for staff (required)')
    .option('--bays <number>', 'how many bays, or all; 1 unless given')
    .option('--day <day>', `the whole of this day: ${typedDayForms}`)
    .option('--from <day>', `from this day on: ${typedDayForms}`)
    .option('--to <day>', 'with --from: the last day; that day alone unless given')
    .option('--begins <time>', 'with --from: at this time of the first day, such as 09:30')
    .option('--ends <time>', 'with --from: until this time of the last day')
    .option('--repeat <how>', 'with --from: once, weekly or yearly')
    .option('--until <day>', 'with --repeat: the last day on which it may begin again');

  const note = {
    usage: 'note [workshop]',
    summary: 'show what staff noted of a day, or note it',
    examples: [
      'booking note carlton-motors --day tomorrow',
      'booking note carlton-motors --text "Sam is off"',
    ],
  };
  verb<{ day?: string; text?: string }>(booking, note, ([workshop], { day = 'today', text }) =>
    withSession(async (session) => {
      const { db, clock } = session;
      const { parseTypedDay } = await import('#base/values/typed-time.ts');
      const { readDayNotes } = await import('#product/workshops/day-notes/store.ts');
      const { setDayNote } = await import('#product/workshops/day-notes/set.ts');
      const { workshopId, timezone } = await workshopOf(session, workshop);
      const date = parseTypedDay(day, timezone, clock.now());
      if (date === null) throw new InvalidInput([{ field: 'day', message: `must be ${typedDayForms}` }]);
      const [present] = await readDayNotes(db, workshopId, { from: date, to: date });
      const version = present?.version ?? 0;
      const shown =
        text === undefined
          ? present
          : await setDayNote(session, { workshopId, date, text, seen: version, ...by });
      return { json: shown ?? { date, text: '', version }, text: `${date}: ${shown?.text || 'nothing'}` };
    }),
  )
    .option('--day <day>', `${typedDayForms}; today unless given`)
    .option('--text <text>', 'what to note, at most 2000 characters; "": nothing');
}

interface CloseOptions {
  readonly bays?: string;
  readonly reason: string;
  readonly day?: string;
  readonly from?: string;
  readonly to?: string;
  readonly begins?: string;
  readonly ends?: string;
  readonly repeat?: string;
  readonly until?: string;
}

const needsFrom = 'goes with --from alone';

function closingMade({ blocks, timezone, bookings }: MadeClosing) {
  const lines = blocks.map((block) => lineOf({ ...block, timezone }));
  const many = bookings > 1_000 ? 'more than 1000' : String(bookings);
  return {
    json: { blocks: blocks.map((block) => ({ ...block, timezone })), bookings },
    text: [...lines, `booked in that time: ${many}`].join('\n'),
  };
}

function lineOf({ id, from, until, bays: closed, timezone }: ShownBlock): string {
  const bays = closed === null ? 'all bays' : closed === 1 ? '1 bay' : `${closed} bays`;
  return `block ${id}: ${bays} from ${at(from, timezone)} to ${at(until, timezone)}`;
}

/** A new block, with the bookings during its time. */
export function blockMade({ block, bookings }: MadeBlock) {
  const lines = [lineOf(block)];
  if (bookings.length > 0) lines.push(`booked in that time: ${bookings.map(({ code }) => code).join(', ')}`);
  return {
    json: { ...block, bookings: bookings.map(({ id, code }) => ({ id, code })) },
    text: lines.join('\n'),
  };
}
