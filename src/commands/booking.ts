/** `pitlane booking …`: bookings for the workshop's staff: all bookings of a workshop, of any partner, and its own. */
import type { Command } from 'commander';
import type { OwnBookingInput } from '#bookings/own/create.ts';
import type { BookingSearch } from '#bookings/own/find.ts';
import type { WorkshopBooking } from '#bookings/own/store.ts';
import type { BookingStatus } from '#bookings/schema.ts';
import { registerBlock } from './block.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { collect, group, verb } from './verb.ts';

const zone = 'in the workshop\'s time zone, such as 2030-03-03 or "2030-03-03 09:30"';

export function registerBooking(program: Command): void {
  const booking = group(program, 'booking', "a workshop's bookings, and its own", [
    'booking list --workshop 0198c6a3-…',
    'booking confirm 7K3M9QXW',
    'booking cancel 7K3M9QXW --reason "The part is not in stock"',
  ]);
  registerList(booking);

  const show = {
    usage: 'show <booking>',
    summary: 'show a booking, by its id or code',
    examples: ['booking show 7K3M9QXW', 'booking show 0198c6b1-… --json'],
    times: true,
  };
  verb(booking, show, ([idOrCode = '']) =>
    withSession(async ({ db }) => {
      const { requireBooking } = await import('#bookings/own/find.ts');
      const found = await requireBooking(db, idOrCode);
      return { json: found, text: details(shown(found)) };
    }),
  );

  registerStatus(booking, 'confirm', 'confirmed', 'confirm a booking; the customer is told');
  registerStatus(booking, 'complete', 'completed', 'complete a booking; nobody is told');
  registerStatus(booking, 'cancel', 'cancelled', 'cancel a booking; the customer is told').option(
    '--reason <text>',
    'why, at most 500 characters; the customer reads it',
  );
  registerCreate(booking);
  registerBlock(booking);
}

function registerList(booking: Command): void {
  list<WorkshopBooking, BookingSearch>(booking, {
    usage: 'list',
    summary: "list a workshop's bookings by their dates, from today on",
    examples: [
      'booking list --workshop 0198c6a3-…',
      'booking list --workshop 0198c6a3-… --from 2030-03-03 --to 2030-03-04 --status pending',
      'booking list --workshop 0198c6a3-… --customer 0198c6a5-… --from 2020-01-01 --all --json',
    ],
    what: 'booking',
    cursor: 'after',
    columns,
    cursorOf: ({ id }) => id,
    async open({ db, clock }, _, search) {
      const { findBookings } = await import('#bookings/own/find.ts');
      return findBookings(db, clock.now(), search);
    },
  })
    .requiredOption('--workshop <id>', 'the workshop (required)')
    .option('--from <time>', `from this time on, ${zone}; from the beginning of today unless given`)
    .option('--to <time>', 'before this time')
    .option('--status <status>', 'pending, confirmed, completed or cancelled; all unless given')
    .option('--customer <id>', 'of one customer only')
    .option('--partner <id>', 'of one partner only');
}

function registerStatus(booking: Command, name: string, status: BookingStatus, summary: string): Command {
  const spec = {
    usage: `${name} <booking>`,
    summary,
    examples: [`booking ${name} 7K3M9QXW`, `booking ${name} 0198c6b1-… --silent`],
  };
  return verb<{ reason?: string; silent?: true }>(booking, spec, ([idOrCode = ''], { reason, silent }) =>
    withSession(async ({ db, clock }) => {
      const { requireBooking } = await import('#bookings/own/find.ts');
      const { giveStatus } = await import('#bookings/own/status.ts');
      const { id } = await requireBooking(db, idOrCode);
      const context = { db, clock, nudgeRelay: () => undefined };
      await giveStatus(context, id, { status, reason, notify: silent !== true });
      const after = await requireBooking(db, id);
      return { json: after, text: `booking ${after.code} is ${after.status}` };
    }),
  ).option('--silent', 'nobody is told');
}

type CreateOptions = OwnBookingInput & {
  readonly workshop: string;
  readonly silent?: true;
  readonly json?: true;
};

function registerCreate(booking: Command): void {
  const example =
    'booking create --workshop 0198c6a3-… --car-rego ABC123 --booking-time "2030-03-03 09:30" --customer-name "Sam Taylor" --customer-phone "0491 570 006"';
  const create = {
    usage: 'create',
    summary: "make a booking of the workshop's own, for someone who walks in or calls; no partner sees it",
    examples: [example, `${example} --service logbook --service "New wipers" --silent`],
  };
  verb<CreateOptions>(booking, create, (_, { workshop, silent, json: __, ...input }) =>
    withSession(async ({ db, clock }) => {
      const { createOwnBooking } = await import('#bookings/own/create.ts');
      const { requireBooking } = await import('#bookings/own/find.ts');
      const context = { db, clock, nudgeRelay: () => undefined };
      const made = await requireBooking(
        db,
        (await createOwnBooking(context, workshop, input, silent !== true)).id,
      );
      return { json: made, text: details(shown(made)) };
    }),
  )
    .requiredOption('--workshop <id>', 'the workshop (required)')
    .requiredOption('--car-rego <rego>', 'registration of the car (required)')
    .requiredOption('--booking-time <time>', `when, ${zone} (required)`)
    .requiredOption('--customer-name <name>', 'the customer (required)')
    .requiredOption(
      '--customer-phone <phone>',
      "their phone, in any form of the workshop's country (required)",
    )
    .option('--customer-email <address>', 'their e-mail address, for notices and the calendar')
    .option('--customer-company <name>', 'their company')
    .option('--pickup-time <time>', 'when the car is to be picked up')
    .option('--service-category <category>', 'service, tyres, repair or others')
    .option(
      '--service <service>',
      'a service that is wanted, by its code in the catalogue or in your own words; may be given more than once',
      collect,
    )
    .option('--notes <text>', 'what the workshop should know')
    .option('--car-make <make>', 'such as Toyota')
    .option('--car-model <model>', 'such as Corolla')
    .option('--silent', 'nobody is told');
}

function shown(booking: WorkshopBooking) {
  const { customer, car, services } = booking;
  return {
    bookingId: booking.id,
    code: booking.code,
    status: booking.status,
    date: at(booking.date, booking.timezone),
    pickupTime: at(booking.pickupTime, booking.timezone),
    customer: customer.name,
    phone: customer.phone,
    email: customer.email,
    emailBounce: booking.emailBounce,
    car: [car.rego, car.year, car.make, car.model].filter((part) => part !== null).join(' '),
    services: services.map(({ title, catalogCode }) => title ?? catalogCode),
    notes: booking.notes,
    cancelReason: booking.cancelReason,
    partner: booking.partner ?? "the workshop's own",
    workshopId: booking.workshopId,
    createdAt: at(booking.createdAt, booking.timezone),
    updatedAt: at(booking.updatedAt, booking.timezone),
  };
}

const columns = {
  CODE: (row: WorkshopBooking) => row.code,
  DATE: (row: WorkshopBooking) => at(row.date, row.timezone),
  STATUS: (row: WorkshopBooking) => row.status,
  CAR: (row: WorkshopBooking) => row.car.rego,
  CUSTOMER: (row: WorkshopBooking) => row.customer.name,
  PHONE: (row: WorkshopBooking) => row.customer.phone,
  PARTNER: (row: WorkshopBooking) => row.partner,
};
