/** `pitlane booking full|close|note`: closes a day in one step, and keeps staff's note of a day. */
import type { Command } from 'commander';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { typedDayForms } from '#base/values/typed-time.ts';
import type { MadeBlock } from '#product/bookings/staff/block.ts';
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
    summary: 'close bays from now until the close of business, or for a whole day',
    examples: [
      'booking close carlton-motors --reason "Hoist 2 is broken"',
      'booking close carlton-motors --day tomorrow --bays all --reason "Stocktaking"',
    ],
  };
  verb<{ bays?: string; reason: string; day?: string }>(booking, close, ([workshop], input) =>
    withSession(async (session) => {
      const { closeBays } = await import('#product/bookings/staff/close.ts');
      const { workshopId } = await workshopOf(session, workshop);
      return blockMade(await closeBays(session, { workshopId, ...input, ...by }));
    }),
  )
    .requiredOption('--reason <text>', 'why, for staff (required)')
    .option('--bays <number>', 'how many bays, or all; 1 unless given')
    .option('--day <day>', `the whole of this day: ${typedDayForms}`);

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
        text === undefined ? present : await setDayNote(session, { workshopId, date, text, version, ...by });
      return { json: shown ?? { date, text: '', version }, text: `${date}: ${shown?.text || 'nothing'}` };
    }),
  )
    .option('--day <day>', `${typedDayForms}; today unless given`)
    .option('--text <text>', 'what to note, at most 2000 characters; "": nothing');
}

/** A new block, with the bookings during its time. */
export function blockMade({ block, bookings }: MadeBlock) {
  const bays = block.bays === null ? 'all bays' : block.bays === 1 ? '1 bay' : `${block.bays} bays`;
  const [from, until] = [at(block.from, block.timezone), at(block.until, block.timezone)];
  const lines = [`block ${block.id}: ${bays} from ${from} to ${until}`];
  if (bookings.length > 0) lines.push(`booked in that time: ${bookings.map(({ code }) => code).join(', ')}`);
  return {
    json: { ...block, bookings: bookings.map(({ id, code }) => ({ id, code })) },
    text: lines.join('\n'),
  };
}
