/** The workshop that the counts are of, as the document of `pitlane workshop import`: what any build of Pitlane takes. */
import { serviceCategories } from '#product/catalogue/categories.ts';
import { everyDay } from '../world.ts';

export const workshopSettings = {
  name: 'Bench Motors',
  country: 'AU',
  timezone: 'Australia/Melbourne',
  phone: '0355501234',
  email: 'desk@bench.example',
} as const;

/** The first day that is asked for, a Monday. */
export const availableFrom = '2030-03-04';

/** A week of two ranges a day, six bays and eight services; nothing is refused. */
export function setupOf(workshopId: string) {
  return {
    workshopId,
    settings: { slotMinutes: 30, bays: 6, horizonDays: 3_650 },
    hours: everyDay({ from: '08:00', to: '12:00' }, { from: '13:00', to: '17:30' }),
    services: Array.from({ length: 8 }, (_, n) => ({
      ...{
        catalogCode: `s${n}`,
        title: `Service ${n}`,
        category: serviceCategories[n % serviceCategories.length],
      },
      ...{ cost: 100 + n, durationMinutes: 30 + 30 * (n % 3), dailyLimit: n % 4 === 0 ? 30 : null },
    })),
  };
}
