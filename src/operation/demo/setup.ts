/** The set-up of the demo's workshops: hours, bays, and the catalogue of an ordinary workshop. */
import type { Setup } from '#product/availability/set-up/setup.ts';
import { defaultSettings } from '#product/availability/set-up/setup.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';
import type { ServiceSettings } from '#product/catalogue/store.ts';
import { dataUrlOf } from '#product/workshops/logo/logo.ts';
import { demoLogo } from './logo.ts';

interface Priced {
  readonly cost: number;
  readonly maxCost?: number;
  readonly minutes: number;
  readonly dailyLimit?: number;
  /** The description, for the booking page. */
  readonly about?: string;
}

const service = (
  category: ServiceCategory,
  catalogCode: string,
  title: string,
  { cost, maxCost, minutes, dailyLimit, about }: Priced,
  [icon, color]: readonly [string, string],
): ServiceSettings => ({
  ...{ catalogCode, title, category, cost, maxCost: maxCost ?? null, icon, color },
  ...{ dailyLimit: dailyLimit ?? null, durationMinutes: minutes, description: about ?? null },
});

const services: readonly ServiceSettings[] = [
  service(
    'service',
    'logbook',
    'Logbook service',
    {
      cost: 249,
      maxCost: 420,
      minutes: 120,
      dailyLimit: 6,
      about: 'Oil and filter, all checks of the logbook, a stamp in it, and a report.',
    },
    ['clipboard', 'blue'],
  ),
  service(
    'service',
    'major',
    'Major service',
    {
      cost: 449,
      maxCost: 790,
      minutes: 240,
      dailyLimit: 2,
      about: 'The logbook service with spark plugs, air and cabin filter, brake fluid and coolant.',
    },
    ['wrench', 'blue'],
  ),
  service(
    'service',
    'oil',
    'Oil and filter',
    { cost: 129, maxCost: 189, minutes: 45, about: 'Up to 5 litres of synthetic oil and a new filter.' },
    ['droplet', 'blue'],
  ),
  service(
    'service',
    'inspection',
    'Safety inspection',
    {
      cost: 79,
      minutes: 30,
      about: 'Brakes, steering, lights, tyres and underbody, with photos of what we find.',
    },
    ['search', 'blue'],
  ),
  service(
    'tyres',
    'tyres-4',
    'Four new tyres, fitted',
    {
      cost: 520,
      maxCost: 1_600,
      minutes: 60,
      about: 'Fitted, balanced, with new valves; we take the old ones away.',
    },
    ['circle', 'black'],
  ),
  service(
    'tyres',
    'alignment',
    'Wheel alignment',
    { cost: 99, minutes: 45, about: 'All four wheels, by laser, with a printout before and after.' },
    ['crosshair', 'black'],
  ),
  service('tyres', 'rotation', 'Rotation and balance', { cost: 89, minutes: 30 }, ['rotate', 'black']),
  service('tyres', 'puncture', 'Puncture repair', { cost: 45, minutes: 30 }, ['patch', 'black']),
  service(
    'repair',
    'brakes-front',
    'Front brake pads and rotors',
    {
      cost: 390,
      maxCost: 640,
      minutes: 120,
      about: 'Pads and rotors of both front wheels, and a test drive.',
    },
    ['disc', 'red'],
  ),
  service('repair', 'battery', 'Battery, fitted', { cost: 219, maxCost: 380, minutes: 30 }, [
    'battery',
    'red',
  ]),
  service(
    'repair',
    'diagnosis',
    'Warning light diagnosis',
    {
      cost: 120,
      minutes: 60,
      about: 'We read the fault codes and find the cause. Repairs are quoted before we begin.',
    },
    ['activity', 'red'],
  ),
  service('others', 'aircon', 'Air-conditioning regas', { cost: 189, maxCost: 260, minutes: 60 }, [
    'snowflake',
    'teal',
  ]),
  service(
    'others',
    'roadworthy',
    'Roadworthy certificate',
    {
      cost: 169,
      minutes: 90,
      dailyLimit: 3,
      about: 'The inspection and the certificate. Repairs, where they are needed, are quoted first.',
    },
    ['badge', 'teal'],
  ),
];

const colours = ['#0a7d5a', '#c2410c', '#1d4ed8'];

const weekday = [
  { from: '07:30', to: '12:30' },
  { from: '13:00', to: '17:30' },
];
const pickups = ['12:00', '16:00', '17:00'];

/** The workshop numbered 1 enforces its slots; the others accept any time. */
export function demoSetup(workshop: number): Omit<Setup, 'address'> {
  const colour = colours[workshop % colours.length] ?? '#0a7d5a';
  return {
    settings: {
      ...defaultSettings,
      bays: 3,
      leadTimeMinutes: 60,
      enforceAvailability: workshop === 1,
      plainPage: true,
      colour,
      taxLabel: 'incl. GST',
      page: {
        logo: dataUrlOf({ kind: 'png', content: demoLogo(colour) }),
        privacyUrl: 'https://demo.example/privacy',
        termsUrl: 'https://demo.example/terms',
        cancellationText: 'Free of charge until 24 hours before. After that, please call us.',
      },
    },
    hours: {
      ...{ monday: weekday, tuesday: weekday, wednesday: weekday, thursday: weekday, friday: weekday },
      ...{ saturday: [{ from: '08:00', to: '12:00' }], sunday: [] },
    },
    pickupTimes: {
      ...{ monday: pickups, tuesday: pickups, wednesday: pickups, thursday: pickups, friday: pickups },
      ...{ saturday: ['12:00'], sunday: [] },
    },
    custom: [],
    categories: [{ code: 'tyres', dailyLimit: 8 }],
    services,
  };
}
