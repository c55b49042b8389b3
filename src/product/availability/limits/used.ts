/** The usage of each daily limit on some days. */
import type { LocalDay } from '#base/values/local-day.ts';
import type { Database } from '#platform/db/database.ts';
import { knownOffer, refreshOffer } from '#product/catalogue/offer.ts';
import type { KnownRules } from '../places/rules.ts';
import { type Limits, limitsHeld } from '../wish.ts';
import { type CountedGroup, readCounted } from './store.ts';

/** A limit with bookings on the day. */
export interface UsedLimit {
  /** The service's title, or the category. */
  readonly name: string;
  /** The bookings that count under it; more than the limit if it was lowered since, or after Book anyway. */
  readonly used: number;
  readonly limit: number;
}

/** For each of these consecutive days, the limits with bookings; categories first. Makes no query when there are no limits. */
export async function limitsUsed(
  db: Database,
  workshopId: string,
  { version, limits }: Pick<KnownRules, 'version' | 'limits'>,
  days: readonly LocalDay[],
): Promise<readonly (readonly UsedLimit[])[]> {
  if (limits.services.size + limits.categories.size === 0) return days.map(() => []);
  const [groups, titles] = await Promise.all([
    readCounted(db, workshopId, days),
    limits.services.size === 0 ? new Map<string, string>() : titlesOf(db, workshopId, version),
  ]);
  return days.map((_, n) =>
    countUsed(
      groups.filter(({ nth }) => nth === n + 1),
      limits,
      titles,
    ),
  );
}

function countUsed(
  groups: readonly CountedGroup[],
  limits: Limits,
  titles: ReadonlyMap<string, string>,
): UsedLimit[] {
  const used = new Map<string, UsedLimit & { readonly isService: boolean }>();
  for (const { services, categories, bookings } of groups) {
    const items = categories.map((category, n) => ({ id: services[n] ?? null, category }));
    for (const { kind, key, limit } of limitsHeld(items, limits)) {
      const before = used.get(key)?.used ?? 0;
      const isService = kind === 'service';
      const name = isService ? (titles.get(key) ?? 'A service') : key;
      used.set(key, { name, limit, used: before + bookings, isService });
    }
  }
  const byName = [...used.values()].toSorted(
    (one, other) => Number(one.isService) - Number(other.isService) || one.name.localeCompare(other.name),
  );
  return byName.map(({ name, used: count, limit }) => ({ name, used: count, limit }));
}

async function titlesOf(
  db: Database,
  workshopId: string,
  version: number,
): Promise<ReadonlyMap<string, string>> {
  const known = await knownOffer(db, workshopId);
  const offer = known !== null && known.version < version ? await refreshOffer(db, workshopId) : known;
  return new Map([...(offer?.byId ?? [])].map(([id, { title }]) => [id, title]));
}
