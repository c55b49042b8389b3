/** Creates a workshop. */
import type { Clock } from '#base/clock.ts';
import { takenByAnother } from '#base/operator-error.ts';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireKnownTimezone } from './require-timezone.ts';
import { readSettings, type SettingsInput } from './settings.ts';
import { freeSlug } from './slug.ts';
import { insertWorkshop, listSlugsLike } from './store.ts';

/**
 * A slug made from the name gets a number when it is taken; one that was asked for is refused.
 * Throws InvalidInput, which names every bad field.
 */
export async function createWorkshop(
  db: Queryable,
  clock: Clock,
  input: SettingsInput,
): Promise<{ workshopId: string; slug: string }> {
  const settings = readSettings(input, null);
  await requireKnownTimezone(db, settings.timezone);
  const workshopId = newId();
  if (input.slug !== undefined) {
    if (await insertWorkshop(db, workshopId, settings, clock.now()))
      return { workshopId, slug: settings.slug };
    throw takenByAnother('workshop', 'slug', settings.slug);
  }
  for (;;) {
    // Another workshop of this name may come in between: then the next number is tried.
    const slug = freeSlug(settings.slug, await listSlugsLike(db, settings.slug));
    if (await insertWorkshop(db, workshopId, { ...settings, slug }, clock.now())) return { workshopId, slug };
  }
}
