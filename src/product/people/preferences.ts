/** A person's own settings. */
import type { Clock } from '#base/clock.ts';
import { InvalidInput } from '#base/operator-error.ts';
import { nameFault } from '#base/values/name.ts';
import { normaliseString } from '#base/values/text.ts';
import { Problem } from '#errors.ts';
import type { Database } from '#platform/db/database.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { matchesVersion } from '#platform/http/etag.ts';
import { lockVersion, type Preferences, updatePreferences } from './store.ts';

/**
 * `ifMatch` is the version that was seen. Throws Problem 412 for another one, InvalidInput for a name that is empty or too long.
 */
export async function setPreferences(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  personId: string,
  { ifMatch, ...sent }: Preferences & { readonly ifMatch?: string },
  alongside?: Alongside<string>,
): Promise<void> {
  const name = normaliseString(sent.name);
  const fault = nameFault(name);
  if (fault) throw new InvalidInput([{ field: 'name', message: fault }]);
  await db.transaction(async (tx) => {
    const version = await lockVersion(tx, personId);
    if (version === null || !matchesVersion(ifMatch, version)) throw new Problem('000010');
    await updatePreferences(tx, personId, { ...sent, name }, clock.now());
    await alongside?.(tx, personId);
  });
}
