/** `pitlane booking create|move|set`: staff create and change bookings. */

import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { typedTimeForms } from '#base/values/typed-time.ts';
import type { OwnBookingInput } from '#product/bookings/staff/create.ts';
import type { OwnChangesInput } from '#product/bookings/staff/update.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { styled } from './colours.ts';
import { note } from './output.ts';
import { shown } from './record.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { collect, verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

interface CreateFlags {
  readonly workshop?: string;
  readonly bookingTime?: string;
  readonly pending?: true;
  readonly here?: true;
}

interface Flags {
  readonly anyway?: string;
  readonly silent?: true;
  readonly json?: true;
}

const anyway = [
  '--anyway <why>',
  'also where the workshop is closed or full then, or it is past, and enforces its times; why, in 3 to 255 characters',
] as const;

export function registerCreate(booking: Command): void {
  const example =
    'booking create --car-rego ABC123 --booking-time "tomorrow 9:30" --customer-name "Sam Taylor" --customer-phone "0491 570 006"';
  const create = {
    usage: 'create',
    summary:
      "make a booking of the workshop's own, confirmed, for someone who walks in or calls; no partner sees it. A name alone is enough, or a registration",
    examples: [
      example,
      `${example} --workshop carlton-motors --service logbook --service "New wipers" --silent`,
      'booking create --booking-time "today 3 pm" --customer-name "Wendy" --anyway "We stay open for her"',
      'booking create --here --car-rego ABC123',
    ],
  };
  const created = verb<Omit<OwnBookingInput, 'isPending' | 'isHere' | 'bookingTime'> & Flags & CreateFlags>(
    booking,
    create,
    async (
      _,
      { workshop, bookingTime = '', silent, pending, here: isHere = false, anyway: why, json: __, ...typed },
    ) => {
      if (bookingTime === '' && !isHere)
        throw new UsageError('--booking-time is a required option, unless there is --here');
      return withSession(async (session) => {
        const { createOwnBooking } = await import('#product/bookings/staff/create.ts');
        const { db, clock } = session;
        const of = await workshopOf(session, workshop);
        const context = { db, clock };
        const input = { ...typed, bookingTime, isHere, isPending: pending === true };
        const options = optionsOf(silent === true, why);
        const made = await createOwnBooking(context, of.workshopId, input, options);
        await noteKnown(db, of, input, made);
        return changed(db, made.id, made.warnings);
      });
    },
  );
  withWorkshop(created)
    .option(
      '--booking-time <time>',
      `when, in the workshop's time zone: ${typedTimeForms} (required, but with --here)`,
    )
    .option(
      '--here',
      'the customer stands at the desk: they are marked so, and without a time it begins at the next quarter of an hour',
    )
    .option('--car-rego <rego>', 'registration of the car')
    .option('--customer-name <name>', 'the customer')
    .option(
      '--customer-phone <phone>',
      "their phone, in any form of the workshop's country; the customer who is known by it has the booking",
    )
    .option('--customer-id <id>', 'a customer of the workshop, where no phone says who it is')
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
    .option('--car-year <year>', 'when it was made, such as 2019')
    .option('--car-vin <vin>', 'its vehicle identification number')
    .option('--job-notes <text>', 'a note on the work; may be given more than once', collect)
    .option('--product-notes <text>', 'a note on parts and products, in the same way', collect)
    .option('--pending', 'the workshop still has to confirm it')
    .option(...anyway)
    .option('--silent', 'nobody is told');
}

export function registerMove(booking: Command): void {
  const move = {
    usage: 'move <booking>',
    summary: 'move a booking, of any partner, to another time; the customer is told',
    examples: [
      'booking move 7K3M9QXW --to "tomorrow 2:30 pm"',
      'booking move 7K3M9QXW --to "2030-03-04 10:00" --anyway "The part came late"',
    ],
  };
  verb<Flags & { readonly to: string }>(booking, move, ([idOrCode = ''], { to, ...flags }) =>
    change(idOrCode, { to }, flags),
  )
    .requiredOption('--to <time>', `in the workshop's time zone: ${typedTimeForms} (required)`)
    .option(...anyway)
    .option('--silent', 'nobody is told');
}

export function registerSet(booking: Command): void {
  const set = {
    usage: 'set <booking>',
    summary: 'change a booking, of any partner; what is not named stays, and nobody is told but its partner',
    examples: [
      'booking set 7K3M9QXW --car-rego XYZ789 --customer-phone "0491 570 110"',
      'booking set 7K3M9QXW --service logbook --service "New wipers" --notes ""',
    ],
  };
  verb<Omit<OwnChangesInput, 'to'> & Flags>(
    booking,
    set,
    async ([idOrCode = ''], { silent, anyway: why, json, ...input }) => {
      if (Object.keys(input).length === 0)
        throw new UsageError('nothing to set: name an option (see --help); booking move changes the time');
      return change(idOrCode, input, { ...(why !== undefined && { anyway: why }) });
    },
  )
    .option('--car-rego <rego>', 'it is for this car from now on')
    .option('--car-make <make>', 'such as Toyota; of this, model, year and VIN "" clears each')
    .option('--car-model <model>', 'such as Corolla')
    .option('--car-year <year>', 'when it was made, such as 2019')
    .option('--car-vin <vin>', 'its vehicle identification number')
    .option('--customer-name <name>', 'the customer')
    .option(
      '--customer-phone <phone>',
      "their phone, in any form of the workshop's country; the customer who is known by it has the booking",
    )
    .option(
      '--customer-email <address>',
      'their e-mail address; of the workshop\'s own bookings this, phone, name or rego may be "": not given',
    )
    .option('--customer-company <name>', 'their company; "": none')
    .option('--pickup-time <time>', 'when the car is to be picked up; "": not known')
    .option('--service-category <category>', 'service, tyres, repair or others; "": that of the services')
    .option(
      '--service <service>',
      'a service, by its code or in your own words; may be given more than once: those that are named are all that it has; "": none',
      collect,
    )
    .option('--notes <text>', 'what the workshop should know; "": nothing')
    .option(
      '--job-notes <text>',
      'a note on the work; may be given more than once: those that are named are all that it has; "": none',
      collect,
    )
    .option('--product-notes <text>', 'a note on parts and products, in the same way', collect)
    .option(...anyway);
}

const optionsOf = (isSilent: boolean, anyway: string | undefined) => ({
  ...{ notify: !isSilent, anyway: anyway ?? null, actor: actors.operator },
});

function change(idOrCode: string, input: OwnChangesInput, { silent, anyway: why }: Flags) {
  return withSession(async ({ db, clock }) => {
    const { changeOwn } = await import('#product/bookings/staff/update.ts');
    const context = { db, clock };
    const options = optionsOf(silent === true, why);
    const { bookingId, warnings } = await changeOwn(context, idOrCode, input, options);
    return changed(db, bookingId, warnings);
  });
}

/** Names the customer with a walk-in's registration: the registration alone does not identify a customer. */
async function noteKnown(
  db: Session['db'],
  workshop: Workshop,
  { carRego = '', customerPhone, customerId }: OwnBookingInput,
  { code, customerId: theirs }: { readonly code: string; readonly customerId: string },
): Promise<void> {
  if (carRego === '' || customerPhone || customerId) return;
  const { lookUpKnown } = await import('#product/customers/known/look-up.ts');
  const { phoneIn } = await import('#base/values/phone.ts');
  for (const { customerId: id, name, phone } of await lookUpKnown(db, workshop, { rego: carRego })) {
    if (id === theirs || phone === null) continue;
    const number = phoneIn(workshop.country, phone);
    note(
      `${carRego} is known as a car of ${name}: pitlane booking set ${code} --customer-phone "${number}" makes it theirs`,
    );
  }
}

/** A booking after a change, and why its time is not free. */
async function changed(db: Session['db'], id: string, warnings: readonly string[]) {
  const { bookingRecord } = await import('#product/bookings/record.ts');
  const { requireRecord } = await import('#platform/records/staff/find.ts');
  const booking = await requireRecord(db, bookingRecord, id);
  const lines = warnings.map((text) => `${styled('yellow', 'warning:')} ${text}`);
  return {
    json: { ...booking, warnings },
    text: [await shown(bookingRecord, booking), ...lines].join('\n'),
  };
}
