/** What people set for themselves. */
import type { Clock } from '#base/clock.ts';
import { InvalidInput } from '#base/operator-error.ts';
import { nameFault } from '#base/values/name.ts';
import { normaliseString } from '#base/values/text.ts';
import type { Database } from '#platform/db/database.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { type Preferences, updatePreferences } from './store.ts';

/** Throws InvalidInput for a name that is empty or too long. */
export async function setPreferences(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  personId: string,
  sent: Preferences,
  alongside?: Alongside<string>,
): Promise<void> {
  const name = normaliseString(sent.name);
  const fault = nameFault(name);
  if (fault) throw new InvalidInput([{ field: 'name', message: fault }]);
  await db.transaction(async (tx) => {
    await updatePreferences(tx, personId, { ...sent, name }, clock.now());
    await alongside?.(tx, personId);
  });
}
