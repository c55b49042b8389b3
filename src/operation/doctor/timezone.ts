/** Checks that a workshop's time zone exists: earlier releases accepted names that only `Intl` knows. */

import { isTimezone, nearestTimezone } from '#base/values/timezone.ts';
import type { Database } from '#platform/db/database.ts';
import { knowsTimezone } from '#platform/db/time-zones.ts';
import type { Finding } from './finding.ts';

/** Nothing is repaired: a person has to say where the workshop is. */
export async function* checkTimezone(
  db: Database,
  {
    workshopId,
    timezone,
    now,
  }: { readonly workshopId: string; readonly timezone: string; readonly now: Date },
): AsyncGenerator<Finding> {
  const mend = (zone: string) => `pitlane workshop set ${workshopId} --timezone ${zone}`;
  const found = (message: string): Finding => ({
    ...{ kind: 'timezone', workshopId, code: null, at: now, message, repaired: false },
  });
  if (!isTimezone(timezone)) {
    const nearest = nearestTimezone(timezone);
    yield found(
      `${timezone} is no time zone as IANA writes it, so nothing that looks at its clocks works: ${mend(nearest ?? 'ZONE')}`,
    );
  } else if (!(await knowsTimezone(db, timezone))) {
    yield found(
      `PostgreSQL's server does not know ${timezone}: install newer time zones there (tzdata), or ${mend('ZONE')}`,
    );
  }
}
