/** What the demo's workshops offer, and when: hours, bays, and the catalogue of an ordinary workshop. */
import type { Setup } from '#availability/set-up/setup.ts';
import { defaultSettings } from '#availability/set-up/setup.ts';
import type { ServiceCategory } from '#catalogue/categories.ts';
import type { ServiceSettings } from '#catalogue/store.ts';

interface Priced {
  readonly cost: number;
  readonly maxCost?: number;
  readonly minutes: number;
  readonly dailyLimit?: number;
}

const service = (
  category: ServiceCategory,
  catalogCode: string,
  title: string,
  { cost, maxCost, minutes, dailyLimit }: Priced,
  [icon, color]: readonly [string, string],
): ServiceSettings => ({
  ...{ catalogCode, title, category, cost, maxCost: maxCost ?? null, icon, color },
  ...{ dailyLimit: dailyLimit ?? null, durationMinutes: minutes },
});

const services: readonly ServiceSettings[] = [
  service('service', 'logbook', 'Logbook service', { cost: 249, maxCost: 420, minutes: 120, dailyLimit: 6 }, [
    'clipboard',
    'blue',
  ]),
  service('service', 'major', 'Major service', { cost: 449, maxCost: 790, minutes: 240, dailyLimit: 2 }, [
    'wrench',
    'blue',
  ]),
  service('service', 'oil', 'Oil and filter', { cost: 129, maxCost: 189, minutes: 45 }, ['droplet', 'blue']),
  service('service', 'inspection', 'Safety inspection', { cost: 79, minutes: 30 }, ['search', 'blue']),
  service('tyres', 'tyres-4', 'Four new tyres, fitted', { cost: 520, maxCost: 1_600, minutes: 60 }, [
    'circle',
    'black',
  ]),
  service('tyres', 'alignment', 'Wheel alignment', { cost: 99, minutes: 45 }, ['crosshair', 'black']),
  service('tyres', 'rotation', 'Rotation and balance', { cost: 89, minutes: 30 }, ['rotate', 'black']),
  service('tyres', 'puncture', 'Puncture repair', { cost: 45, minutes: 30 }, ['patch', 'black']),
  service(
    'repair',
    'brakes-front',
    'Front brake pads and rotors',
    { cost: 390, maxCost: 640, minutes: 120 },
    ['disc', 'red'],
  ),
  service('repair', 'battery', 'Battery, fitted', { cost: 219, maxCost: 380, minutes: 30 }, [
    'battery',
    'red',
  ]),
  service('repair', 'diagnosis', 'Warning light diagnosis', { cost: 120, minutes: 60 }, ['activity', 'red']),
  service('others', 'aircon', 'Air-conditioning regas', { cost: 189, maxCost: 260, minutes: 60 }, [
    'snowflake',
    'teal',
  ]),
  service('others', 'roadworthy', 'Roadworthy certificate', { cost: 169, minutes: 90, dailyLimit: 3 }, [
    'badge',
    'teal',
  ]),
];

const weekday = [
  { from: '07:30', to: '12:30' },
  { from: '13:00', to: '17:30' },
];
const pickups = ['12:00', '16:00', '17:00'];

/** The workshop numbered 1 holds its bookings to its slots; the others take what comes. */
export function demoSetup(workshop: number): Omit<Setup, 'address'> {
  return {
    settings: {
      ...defaultSettings,
      bays: 3,
      leadTimeMinutes: 60,
      enforceAvailability: workshop === 1,
      plainPage: true,
      colour: '#0a7d5a',
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
