/** Wire shapes of availabilities. */
import { type Static, Type } from 'typebox';
import { reasons } from '#base/values/unavailable.ts';
import { localDate, nullable, out, ref, word } from '#platform/http/fields.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';

const localTime = out.string({
  description: 'What clocks show at the workshop: `HH:MM`.',
  examples: ['08:00'],
});
const instant = (description: string) => out.instant({ description, examples: ['2027-03-28T21:00:00.000Z'] });

const Slot = Type.Object({
  time: instant('When the work may begin: the `bookingTime` to send.'),
  localTime,
  remaining: out.integer({
    description:
      'How many more bookings of what was asked for fit: the least of the bays left and what daily limits leave.',
    examples: [2],
  }),
});

const PickupTime = Type.Object({
  time: instant('When the car can be picked up: the `pickupTime` to send.'),
  localTime,
});

const Unavailable = Type.Object({
  time: nullable(instant('The time that is not free; null for the whole day.')),
  localTime: nullable(localTime),
  reason: word(reasons, {
    description:
      'The first that applies. `closed`: not open, or the work would not be done by closing time; `custom`: closed or cut by a ' +
      'custom day; `break`; `past`; `leadTime`: too soon; `horizon`: too far ahead; `serviceLimit`, `categoryLimit`: the ' +
      'daily limit is reached; `full`: no bay is left.',
  }),
});

const AvailabilityDay = Type.Object(
  {
    date: out.date({ description: 'The local date.', examples: ['2027-03-29'] }),
    open: out.boolean('Whether the workshop opens that day.'),
    openingTime: nullable(
      out.string({ description: 'Local: `HH:MM`; null when closed.', examples: ['08:00'] }),
    ),
    closingTime: nullable(
      out.string({ description: 'Local: `HH:MM`; null when closed.', examples: ['17:30'] }),
    ),
    note: nullable(out.string({ description: 'What the workshop says of a custom day.' })),
    slots: out.list(Type.Unsafe<Static<typeof Slot>>(Slot), 'What can be booked now.'),
    pickupTimes: out.list(Type.Unsafe<Static<typeof PickupTime>>(PickupTime), 'When a car can be picked up.'),
    unavailable: out.list(Unavailable, 'With `explain=true`: every other time, and why it is not free.'),
  },
  { $id: 'AvailabilityDay', description: 'A day, and its free times.' },
);
export type AvailabilityDay = Static<typeof AvailabilityDay>;

export const AvailabilityAnswer = Type.Object(
  {
    success: out.success(true),
    workshopId: out.uuid('The workshop.'),
    timezone: out.string({
      description: 'That of the local times: an IANA name.',
      examples: ['Australia/Melbourne'],
    }),
    slotMinutes: out.integer({ description: 'Minutes from one slot to the next.', examples: [30] }),
    enforced: out.boolean('Whether bookings must fit these slots.'),
    days: out.list(ref(AvailabilityDay), 'One a date, in order.'),
  },
  { description: 'One entry a date, in order.' },
);
export type AvailabilityAnswer = Static<typeof AvailabilityAnswer>;

const date = (description: string) => Type.Optional(localDate({ description, examples: ['2027-03-29'] }));

export const AvailabilityQuerystring = Type.Object({
  from: date("A date in the workshop's time zone; today unless given."),
  to: date('Included; six days after `from` unless given, and at most.'),
  serviceCategory: Type.Optional(
    word(serviceCategories, {
      description:
        "What is asked for, without a service of the catalogue: counts under the category's daily limit.",
    }),
  ),
  catalogId: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The `_id` of a service, from `GET /workshops/{id}/services`: its duration and limit are counted with.',
    }),
  ),
  explain: Type.Optional(
    Type.Boolean({ description: 'True: `unavailable` says of every other time why it is not free.' }),
  ),
});

export const availabilityComponents = [AvailabilityDay];
