/** The data of the demo. Phones are of the ranges that the Australian regulator keeps for fiction. */
import type { WorkshopSettings } from '#product/workshops/store.ts';

/** `d3` → a fixed id of UUIDv7's form, early enough to sort before every real one. */
const id = (suffix: string) => `01900000-0000-7000-8000-${suffix.padStart(12, '0')}`;

/** Public on purpose: they give access only to the demo on the user's own machine. */
export const demoPartner = {
  id: id('1'),
  name: 'Demo Partner',
  appKey: 'ptl_key_demo_only_for_trying_out',
  secret: 'ptl_secret_demo_only_for_trying_out',
} as const;

export interface DemoWorkshop {
  readonly id: string;
  readonly settings: WorkshopSettings;
}

const unset = {
  colour: null,
  notifyPhones: null,
  notifyEmails: null,
  smsSender: null,
  smsGateways: null,
  inboxMessagingEnabled: true,
  inboxNotices: 'email',
} as const;

export const demoWorkshops = [
  {
    id: id('a1'),
    settings: {
      ...unset,
      name: 'Yarra Street Motors',
      slug: 'yarra-street-motors',
      country: 'AU',
      timezone: 'Australia/Melbourne',
      phone: '+61355500101',
      email: 'desk@yarra-street.example',
      address: '21 Yarra Street, Geelong VIC 3220',
    },
  },
  {
    id: id('a2'),
    settings: {
      ...unset,
      name: 'Kangaroo Point Tyre and Auto',
      slug: 'kangaroo-point-tyre-and-auto',
      country: 'AU',
      timezone: 'Australia/Brisbane',
      phone: '+61755500102',
      email: 'desk@kangaroo-point.example',
      address: '8 Main Street, Kangaroo Point QLD 4169',
    },
  },
  {
    id: id('a3'),
    settings: {
      ...unset,
      name: 'Swan River Service Centre',
      slug: 'swan-river-service-centre',
      country: 'AU',
      timezone: 'Australia/Perth',
      phone: '+61855500103',
      email: 'desk@swan-river.example',
      address: '140 Riverside Drive, Perth WA 6000',
    },
  },
] as const satisfies readonly DemoWorkshop[];

/** A customer and their car; the number of the workshop counts from 0. */
const person = (
  suffix: string,
  workshop: number,
  [firstName, lastName, phone]: readonly [string, string, string],
  [rego, year, make, model]: readonly [string, number, string, string],
) => ({
  customer: {
    id: id(`c${suffix}`),
    workshopId: demoWorkshops[workshop]?.id ?? '',
    name: `${firstName} ${lastName}`,
    firstName,
    lastName,
    email: `${firstName}.${lastName}@mail.example`.toLowerCase(),
    phone,
  },
  car: { id: id(`e${suffix}`), rego, year, make, model },
});

export const demoPeople = [
  person('1', 0, ['Ava', 'Nguyen', '+61491570313'], ['1AB2CD', 2019, 'Toyota', 'Corolla']),
  person('2', 0, ['Jack', 'Morris', '+61491570737'], ['1EF3GH', 2021, 'Mazda', 'CX-5']),
  person('3', 1, ['Priya', 'Sharma', '+61491571266'], ['123JKL', 2017, 'Hyundai', 'i30']),
  person('4', 1, ['Tom', 'Walker', '+61491571491'], ['456MNP', 2022, 'Ford', 'Ranger']),
  person('5', 2, ['Mei', 'Chen', '+61491571804'], ['1HQR789', 2020, 'Kia', 'Sportage']),
] as const;

/** Templates of each workshop: one without a booking, one with, and a draft. */
export const demoTemplates = [
  {
    key: 'b',
    name: 'Please call us',
    body: 'Hi {{ customer.firstName }}, please call {{ workshop.name }} on {{ workshop.phone }} when you have a minute.',
    published: true,
  },
  {
    key: 'd',
    name: 'Ready to pick up',
    body: 'Hi {{ customer.firstName }}, your {{ car.make }} {{ car.model }} ({{ car.rego }}) is ready. Booking {{ booking.code }}. {{ workshop.name }}',
    published: true,
  },
  {
    key: 'f',
    name: 'How did we do?',
    body: 'Hi {{ customer.firstName }}, how did we do? Reply with a number from 1 to 5. {{ workshop.name }}',
    published: false,
  },
] as const;

/** For each workshop, of the first template. */
export const demoCampaigns = { automation: 'Please call us', blast: 'Please call us, all' } as const;

/** The fixed ids of the automation (`7`) and the blast (`8`) of the workshop numbered from 0. */
export const demoCampaignId = (key: '7' | '8', workshop: number): string => id(`${key}${workshop + 1}`);

/** The fixed id of a service of the catalogue; both numbers count from 0. */
export function demoServiceId(workshop: number, position: number): string {
  return id(`5${workshop}${position.toString(16)}`);
}

/** `b` of the workshop numbered 0 → its fixed id. */
export function demoTemplateId(key: string, workshop: number): string {
  return id(`${key}${workshop + 1}`);
}
