/** Proves that places are stored as the bookings say, that nothing is overbooked, and that time zones are some, for all workshops, and looks at the installation. */

import { publicUrl } from '#base/config/public-url.ts';
import type { Config } from '#base/config.ts';
import { isTimezone } from '#base/values/timezone.ts';
import type { Context } from '#platform/context.ts';
import { freshRules } from '#product/availability/places/rules.ts';
import { makeSearchParts, readSearchState, type SearchState } from '#product/customers/search/store.ts';
import { relyingPartyOf } from '#product/people/factors/passkeys/relying-party.ts';
import { countPasskeysElsewhere } from '#product/people/factors/passkeys/store.ts';
import { checkBooked, checkDays } from './days.ts';
import type { Finding } from './finding.ts';
import { checkPlaces } from './places.ts';
import { checkSecretKey } from './secret-key.ts';
import { countPlainPages, type PlainPages, workshopsAfter } from './store.ts';
import { checkTimezone } from './timezone.ts';
import { checkZoneData } from './zone-data.ts';

const workshopsAtOnce = 100;
const findingsAtMost = 1_000;
const dayMs = 24 * 60 * 60_000;

export interface ExamineOptions {
  readonly repair: boolean;
  /** The settings whose secret key is looked at; none is without them. */
  readonly config?: Config;
}

export interface Examined {
  readonly workshops: number;
  /** How many were found, and how many of these are repaired. */
  readonly found: number;
  readonly repaired: number;
  /** The first 1,000. */
  readonly findings: readonly Finding[];
  /** No fault, but what customers can do by themselves. */
  readonly plainPages: PlainPages;
  /** What Find finds. Beginnings of words alone are no fault: the role may not be allowed more. */
  readonly search: SearchState;
  /** Passkeys that were made for another host than that of these settings: no fault, but they work there alone. */
  readonly passkeysElsewhere: number;
}

/**
 * Looks at what lies ahead, and at the last two days. With `repair` wrong places and days are mended; too many bookings are not, since
 * somebody has to be asked.
 */
export async function examine(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { repair, config }: ExamineOptions,
): Promise<Examined> {
  const now = clock.now();
  const findings: Finding[] = [];
  let [workshops, found, repaired] = [0, 0, 0];
  const look = async (check: AsyncIterable<Finding>) => {
    for await (const finding of check) {
      found++;
      if (finding.repaired) repaired++;
      if (findings.length < findingsAtMost) findings.push(finding);
    }
  };
  if (config) await look(checkSecretKey(db, config));
  await look(checkZoneData(db, now));
  for await (const workshopId of everyWorkshop(db)) {
    const rules = await freshRules(db, workshopId);
    if (rules === null) continue;
    workshops++;
    const { timezone } = rules.schedule;
    const since = new Date(now.getTime() - 2 * dayMs);
    const checks = [
      checkTimezone(db, { workshopId, timezone, now }),
      // Without a time zone it has no days, so no places can be proved.
      ...(isTimezone(timezone)
        ? [
            checkPlaces(db, { workshopId, rules, since, repair }),
            checkDays(db, { workshopId, rules, now, repair }),
            checkBooked(db, { workshopId, rules, now, repair }),
          ]
        : []),
    ];
    for (const check of checks) await look(check);
  }
  if (repair) await db.transaction(makeSearchParts);
  const search = await readSearchState(db);
  const passkeysElsewhere = config ? await countPasskeysElsewhere(db, hostOf(config)) : 0;
  const plainPages = await countPlainPages(db);
  return { workshops, found, repaired, findings, plainPages, search, passkeysElsewhere };
}

const hostOf = (config: Config) => relyingPartyOf(publicUrl(config), config.port).id;

async function* everyWorkshop(db: Context['db']): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const page: string[] = await workshopsAfter(db, after, workshopsAtOnce);
    yield* page;
    after = page.at(-1) ?? null;
  } while (after !== null);
}
