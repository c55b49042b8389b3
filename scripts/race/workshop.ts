/** The workshop that is raced for, as its set-up says, in the terms of the slow reference. */
import { dateOf, laterDate, type ReferenceWorkshop } from '../../test/fixtures/availability-reference.ts';

/** What `pitlane workshop export` prints, as far as places depend on it. */
export interface SetUp {
  readonly workshopId: string;
  readonly settings: Pick<ReferenceWorkshop, 'slotMinutes' | 'bays' | 'leadTimeMinutes' | 'horizonDays'>;
  readonly hours: Readonly<Record<string, ReferenceWorkshop['week'][number]>>;
  readonly custom: ReferenceWorkshop['custom'];
  readonly categories: readonly { readonly code: string; readonly dailyLimit: number | null }[];
}

/** A service as `GET /workshops/{id}/services` has it. */
export interface OfferedService {
  readonly _id: string;
  readonly category: string;
  readonly dailyLimit: number | null;
  readonly durationMinutes: number | null;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

export function referenceOf(
  { settings, hours, custom, categories }: SetUp,
  services: readonly OfferedService[],
  timezone: string,
): ReferenceWorkshop {
  return {
    ...settings,
    ...{ timezone, custom },
    week: weekdays.map((weekday) => hours[weekday] ?? []),
    services: services.map(({ _id, category, dailyLimit, durationMinutes }) => ({
      ...{ id: _id, category, dailyLimit },
      durationMinutes: durationMinutes ?? 0,
    })),
    categoryLimits: Object.fromEntries(
      categories.flatMap(({ code, dailyLimit }) => (dailyLimit === null ? [] : [[code, dailyLimit]])),
    ),
  };
}

/** The set-up of the workshop that the script makes itself: two bays, a break, limits, services of 30 to 240 minutes. */
export const ownSetUp = {
  settings: { slotMinutes: 30, bays: 2, leadTimeMinutes: 0, horizonDays: 365, enforceAvailability: true },
  hours: Object.fromEntries(
    weekdays.map((weekday) => [
      weekday,
      [
        { from: '08:00', to: '12:00' },
        { from: '13:00', to: '18:00' },
      ],
    ]),
  ),
  custom: [],
  categories: [{ code: 'tyres', dailyLimit: 5 }],
  services: [30, 60, 90, 120, 240].map((durationMinutes, n) => ({
    ...{ catalogCode: `s${durationMinutes}`, title: `${durationMinutes} minutes`, durationMinutes },
    category: n === 1 ? 'tyres' : 'service',
    dailyLimit: n === 4 ? 2 : null,
  })),
};

/** The dates that are raced for: five from tomorrow on. */
export function racedDates(now: number, timezone: string): string[] {
  return Array.from({ length: 5 }, (_, n) => laterDate(dateOf(now, timezone), n + 1));
}
