/**
 * The JSON form in which a workshop is set up (specification: Setting up a workshop 1). `docs/workshop.schema.json` is generated
 * from it.
 */
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { type Weekday, weekdays } from '#base/values/weekday.ts';
import {
  anyText,
  httpsAddress,
  integer,
  list,
  localDate,
  money,
  nullable,
  optional,
  text,
} from '#platform/http/fields.ts';
import { type ServiceCategory, serviceCategories } from '#product/catalogue/categories.ts';
import { dataUrlAtMost } from '#product/workshops/logo/logo.ts';
import { addressAtMost } from '#product/workshops/settings.ts';

/** Unknown fields are faults: in a file that a person writes they are typing errors. */
function closed<T extends Record<string, TSchema>>(properties: T, description?: string) {
  const schema = Type.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
  return Type.Unsafe<Static<typeof schema>>(schema);
}

const flag = (description: string) => optional(Type.Unsafe<boolean>({ type: 'boolean', description }));
const category = Type.Unsafe<ServiceCategory>({ type: 'string', enum: [...serviceCategories] });
const dailyLimit = nullable(
  integer({ min: 0, max: 100_000, description: 'Bookings of a day; 0 allows none, null is no limit.' }),
);

const clockTime = text({
  of: 'clockTime',
  max: 5,
  description: "What clocks show in the workshop's time zone, 00:00 to 23:59.",
  examples: ['08:00'],
});
const range = closed({ from: clockTime, to: clockTime });
const hours = list(range, {
  max: 12,
  description: 'In order; empty: closed. What lies between two is a break.',
});
const pickupTimes = list(clockTime, { max: 96 });

/** Every weekday, each optional. */
function byWeekday<T>(each: TUnsafe<T>, description: string) {
  const properties = Object.fromEntries(weekdays.map((weekday) => [weekday, optional(each)]));
  return Type.Unsafe<Partial<Record<Weekday, T | null>>>(closed(properties, description));
}

const page = closed(
  {
    logo: optional(
      anyText({
        max: dataUrlAtMost,
        description:
          'A PNG, JPEG or WebP picture of at most 512 KB, as a data URL; `pitlane workshop logo` takes a file. Absent: the logo stays; null: none.',
        examples: ['data:image/png;base64,iVBORw0KGgo…'],
      }),
    ),
    privacyUrl: optional(
      httpsAddress({
        description: 'Its privacy notice, linked where customers book.',
        examples: ['https://harbour.example/privacy'],
      }),
    ),
    termsUrl: optional(
      httpsAddress({
        description: 'Its terms, linked where customers book.',
        examples: ['https://harbour.example/terms'],
      }),
    ),
    cancellationText: optional(
      anyText({
        of: 'lines',
        max: 1_000,
        description: 'What customers should know before they cancel; shown where they book and cancel.',
        examples: ['Free of charge until 24 hours before.'],
      }),
    ),
  },
  'What its pages show. Absent: all of it stays; in one that is present only an absent logo stays, the others are none unless given.',
);

const settings = closed(
  {
    slotMinutes: optional(integer({ min: 5, max: 1_440, description: 'Length of a slot; 30 unless given.' })),
    bays: optional(
      integer({ min: 0, max: 1_000, description: 'Bookings that a slot holds; 1 unless given.' }),
    ),
    leadTimeMinutes: optional(
      integer({
        min: 0,
        max: 525_600,
        description: 'From now to the first slot that is offered; 0 unless given.',
      }),
    ),
    horizonDays: optional(
      integer({ min: 0, max: 3_650, description: 'Days after today that are offered; 365 unless given.' }),
    ),
    enforceAvailability: flag('Whether bookings must fit the slots; false unless given.'),
    bookingPage: flag('Whether customers may book by themselves on its page; true unless given.'),
    plainPage: flag(
      'Whether /book/{slug} without a link makes own bookings of the workshop. One that is absent stays; the first import of hours switches it on.',
    ),
    customerMayChange: flag('Whether customers may move and cancel their booking; true unless given.'),
    colour: optional(
      anyText({ of: 'colour', max: 7, description: 'Of its pages: `#rrggbb`.', examples: ['#0a7d5a'] }),
    ),
    reminderMonths: optional(
      integer({ min: 1, max: 120, description: 'Months after a completed booking; none unless given.' }),
    ),
    taxLabel: optional(
      anyText({ max: 40, description: 'Said behind totals; nothing unless given.', examples: ['incl. GST'] }),
    ),
    page: optional(page),
  },
  'All settings: one that is absent has its default, except `page` and `plainPage`.',
);

const customDay = closed({
  date: localDate({ examples: ['2027-03-26'] }),
  hours,
  bays: optional(integer({ min: 0, max: 1_000, description: "The workshop's unless given." })),
  pickupTimes: optional(
    list(clockTime, { max: 96, description: "The weekday's that lie within the hours, unless given." }),
  ),
  note: optional(anyText({ description: 'Shown to partners.', examples: ['Good Friday'] })),
});

const service = closed({
  catalogCode: text({ max: 64, description: 'Names the service from one import to the next.' }),
  title: text(),
  category,
  cost: optional(money()),
  maxCost: optional(money()),
  icon: optional(anyText({ max: 64 })),
  color: optional(anyText({ max: 64 })),
  dailyLimit: Type.Optional(dailyLimit),
  durationMinutes: optional(integer({ min: 1, max: 1_440, description: 'One slot unless given.' })),
  description: optional(anyText({ max: 500, description: 'What it comprises; shown on the booking page.' })),
});

/** An absent section stays; a present one replaces the stored one. */
export const workshopSetup = closed({
  $schema: Type.Optional(Type.String({ description: 'For editors; not looked at.' })),
  workshopId: text({ description: 'From `pitlane workshop list`.' }),
  address: optional(
    anyText({
      max: addressAtMost,
      description: 'Where customers bring their cars, as maps find it; null: not known.',
      examples: ['12 Lygon St, Carlton VIC 3053'],
    }),
  ),
  settings: optional(settings),
  hours: optional(byWeekday(hours, 'A weekday that is absent is closed.')),
  pickupTimes: optional(byWeekday(pickupTimes, 'A weekday that is absent has none.')),
  custom: optional(list(customDay, { max: 2_000, description: 'Dates that differ from their weekday.' })),
  categories: optional(
    list(closed({ code: category, dailyLimit }), { max: 4, description: 'Daily limits; others have none.' }),
  ),
  services: optional(
    list(service, {
      max: 1_000,
      description: 'All that are on offer, in the order in which they are shown.',
    }),
  ),
});
export type SetupFile = Static<typeof workshopSetup>;
