/** `pitlane booking …`: bookings for the workshop's staff: all bookings of a workshop, of any partner, and its own. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { typedDayForms } from '#base/values/typed-time.ts';
import type { RecordType } from '#platform/records/record.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import type { BookingStatus } from '#product/bookings/schema.ts';
import { registerBlock } from './block.ts';
import { registerClosing } from './block-today.ts';
import { registerAttendance, registerReady } from './booking-attendance.ts';
import { registerCreate, registerMove, registerSet } from './booking-change.ts';
import { registerPreview } from './booking-preview.ts';
import { list } from './paging.ts';
import { addressOf } from './public-address.ts';
import { readSearch, type Search, shown, withFilters } from './record.ts';
import { type Session, withSession } from './session.ts';
import { group, verb } from './verb.ts';

export async function registerBooking(program: Command, isMeant: (group: string) => boolean): Promise<void> {
  const booking = group(program, 'booking', "a workshop's bookings, and its own", [
    'booking list --day today',
    'booking confirm 7K3M9QXW',
    'booking move 7K3M9QXW --to "tomorrow 2:30 pm"',
    'booking cancel 7K3M9QXW --reason "The part is not in stock"',
  ]);
  if (!isMeant('booking')) return;
  const { bookingRecord } = await import('#product/bookings/record.ts');
  registerByDate(booking, bookingRecord);

  const show = {
    usage: 'show <booking>',
    summary: "show a booking, by its id or code, with its customer's link",
    examples: ['booking show 7K3M9QXW', 'booking show 0198c6b1-… --json'],
    times: true,
  };
  verb(booking, show, ([idOrCode = '']) =>
    withSession(async (session) => {
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const found = await requireRecord(session.db, bookingRecord, idOrCode);
      const link = await linkOf(session, found);
      return { json: { ...found, link }, text: await shown(bookingRecord, found, { link }) };
    }),
  );

  registerStatus(booking, bookingRecord, 'confirm', 'confirmed', 'confirm a booking; the customer is told');
  registerStatus(booking, bookingRecord, 'complete', 'completed', 'complete a booking; nobody is told');
  registerStatus(
    booking,
    bookingRecord,
    'cancel',
    'cancelled',
    'cancel a booking; the customer is told',
  ).option('--reason <text>', 'why, at most 500 characters; the customer reads it');
  registerAttendance(booking);
  registerReady(booking);
  registerPreview(booking);
  registerCreate(booking);
  registerMove(booking);
  registerSet(booking);
  registerBlock(booking);
  registerClosing(booking);
}

/**
 * The address at which the customer sees and changes it; null if it cannot reach them: they have neither phone nor e-mail, or were
 * erased.
 */
async function linkOf({ db, config }: Session, { id, customer }: WorkshopBooking): Promise<string | null> {
  if (customer.phone === null && customer.email === null) return null;
  const { manageCode, managePath } = await import('#product/bookings/manage-link/codes.ts');
  return addressOf(config, managePath(await manageCode(db, id)));
}

type BookingRecord = RecordType<unknown, WorkshopBooking>;

function registerByDate(booking: Command, record: BookingRecord): void {
  const listed = list<WorkshopBooking, Search>(booking, {
    usage: 'list',
    summary: "list a workshop's bookings by their dates, from today on",
    examples: [
      'booking list --day tomorrow',
      'booking list --rego ABC --from 2020-01-01',
      'booking list --workshop carlton-motors --from 2030-03-03 --to 2030-03-04 --status pending',
      'booking list --customer 0198c6a5-… --from 2020-01-01 --all --json',
    ],
    what: 'booking',
    cursor: 'after',
    columns: async () => (await import('./record-shown.ts')).columnsOf(record),
    isDimmed: ({ status }) => status === 'cancelled',
    cursorOf: ({ id }) => id,
    async open(session, _, search) {
      const { readBookingSearch } = await import('#product/bookings/staff/find.ts');
      const { listWorkshopBookings } = await import('#product/bookings/staff/store.ts');
      const wanted = await readSearch(session, record, search, readBookingSearch);
      return ({ cursor: after, limit }) => listWorkshopBookings(session.db, { ...wanted, after, limit });
    },
  });
  withFilters(listed, record)
    .option('--day <day>', `of one day: ${typedDayForms}`)
    .option('--rego <rego>', 'of cars whose registration has this in it')
    .option('--name <name>', 'of customers whose name has this in it')
    .option('--phone <phone>', 'of customers with this phone, or with these digits in it');
}

function registerStatus(
  booking: Command,
  record: BookingRecord,
  name: string,
  status: BookingStatus,
  summary: string,
): Command {
  const spec = {
    usage: `${name} <booking>`,
    summary,
    examples: [`booking ${name} 7K3M9QXW`, `booking ${name} 0198c6b1-… --silent`],
  };
  return verb<{ reason?: string; silent?: true }>(booking, spec, ([idOrCode = ''], { reason, silent }) =>
    withSession(async ({ db, clock }) => {
      const { requireRecord } = await import('#platform/records/staff/find.ts');
      const { giveStatus } = await import('#product/bookings/staff/status.ts');
      const { id } = await requireRecord(db, record, idOrCode);
      const context = { db, clock };
      await giveStatus(context, id, { status, reason, notify: silent !== true, actor: actors.operator });
      const after = await requireRecord(db, record, id);
      return { json: after, text: `booking ${after.code} is ${after.status}` };
    }),
  ).option('--silent', 'nobody is told');
}
