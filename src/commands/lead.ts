/** `pitlane lead …`: calls to workshops that partners registered. */
import type { Command } from 'commander';
import type { CallSearch } from '#leads/own/find.ts';
import type { WorkshopCall } from '#leads/own/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { group, verb } from './verb.ts';
import { type Typed, withWorkshop, workshopOf } from './workshop-option.ts';

export function registerLead(program: Command): void {
  const lead = group(program, 'lead', 'calls to workshops that partners registered', [
    'lead list --workshop carlton-motors --outcome missed',
    'lead show 0198c6ab-…',
  ]);
  const listed = list<WorkshopCall, Typed<CallSearch>>(lead, {
    usage: 'list',
    summary: 'list the calls to a workshop, the newest call first',
    examples: [
      'lead list --workshop carlton-motors',
      'lead list --workshop carlton-motors --outcome missed --from 2030-03-03 --to 2030-03-04',
    ],
    what: 'lead',
    cursor: 'before',
    columns: async () => columnsBy((await import('#values/phone.ts')).phoneIn),
    cursorOf: ({ id }) => id,
    async open(session, _, search) {
      const { db, clock } = session;
      const { readCallSearch } = await import('#leads/own/find.ts');
      const { listWorkshopCalls } = await import('#leads/own/store.ts');
      const wanted = await readCallSearch(db, clock.now(), {
        ...search,
        workshop: (await workshopOf(session, search.workshop)).workshopId,
      });
      return ({ cursor: before, limit }) => listWorkshopCalls(db, { ...wanted, before, limit });
    },
  });
  withWorkshop(listed)
    .option('--outcome <outcome>', 'answered, missed or voicemail; all unless given')
    .option('--from <time>', "called from then on, in the workshop's zone, such as 2030-03-03")
    .option('--to <time>', 'called before then')
    .option('--partner <id>', 'of one partner only');

  const show = {
    usage: 'show <lead>',
    summary: 'show a call, with the customer and booking that it belongs to',
    examples: ['lead show 0198c6ab-…'],
    times: true,
  };
  verb(lead, show, ([id = '']) =>
    withSession(async ({ db }) => {
      const { requireCall } = await import('#leads/own/find.ts');
      const found = await requireCall(db, id);
      const { phoneIn } = await import('#values/phone.ts');
      const { calledAt, createdAt, updatedAt, timezone, country } = found;
      const callerPhone = found.callerPhone && phoneIn(country, found.callerPhone);
      const local = Object.entries({ calledAt, createdAt, updatedAt }).map(([name, time]) => [
        name,
        at(time, timezone),
      ]);
      return { json: found, text: details({ ...found, callerPhone, ...Object.fromEntries(local) }) };
    }),
  );
}

const columnsBy = (phoneIn: typeof import('#values/phone.ts').phoneIn) => ({
  LEAD: (row: WorkshopCall) => row.id,
  CALLED: (row: WorkshopCall) => at(row.calledAt, row.timezone),
  OUTCOME: (row: WorkshopCall) => row.outcome,
  PHONE: (row: WorkshopCall) => row.callerPhone && phoneIn(row.country, row.callerPhone),
  NAME: (row: WorkshopCall) => row.customerName,
  SECONDS: (row: WorkshopCall) => row.durationSeconds,
  BOOKED: (row: WorkshopCall) => row.bookingId !== null,
  PARTNER: (row: WorkshopCall) => row.partner,
});
