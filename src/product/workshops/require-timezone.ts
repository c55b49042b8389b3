/** Whether a time zone is valid for a workshop: the database has to know it, too. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { knowsTimezone } from '#platform/db/time-zones.ts';

/** Throws InvalidInput if PostgreSQL does not know a name that this process accepts. */
export async function requireKnownTimezone(db: Queryable, timezone: string): Promise<void> {
  if (await knowsTimezone(db, timezone)) return;
  const message = `${timezone} is not in the time zones of PostgreSQL's server: install newer ones there (tzdata), or take another name`;
  throw new InvalidInput([{ field: 'timezone', message }]);
}
