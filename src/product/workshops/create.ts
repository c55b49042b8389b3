/** Creates a workshop. */

import { takenByAnother } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireKnownTimezone } from './require-timezone.ts';
import { readSettings, type SettingsInput } from './settings.ts';
import { freeSlug } from './slug.ts';
import { insertWorkshop, listSlugsLike } from './store.ts';

/**
 * A slug derived from the name gets a number when it is in use; a requested one is refused. Throws InvalidInput, which names every
 * bad field.
 */
export async function createWorkshop(
  context: ChangeContext,
  input: SettingsInput,
  actor: Actor,
): Promise<{ workshopId: string; slug: string }> {
  const settings = readSettings(input, null);
  await requireKnownTimezone(context.db, settings.timezone);
  const workshopId = newId();
  const made = {
    actor,
    workshopId,
    subject: { kind: 'workshop', id: workshopId },
    action: 'workshop.created',
  };
  return change(context, async ({ tx, now: at }) => {
    const slug = await insertWithSlug(tx, workshopId, settings, input.slug, at);
    await recordEntry(tx, { ...made, after: { ...settings, slug }, at });
    return { workshopId, slug };
  });
}

async function insertWithSlug(
  tx: Queryable,
  workshopId: string,
  settings: ReturnType<typeof readSettings>,
  asked: string | undefined,
  at: Date,
): Promise<string> {
  if (asked !== undefined) {
    if (await insertWorkshop(tx, workshopId, settings, at)) return settings.slug;
    throw takenByAnother('workshop', 'slug', settings.slug);
  }
  for (;;) {
    // A concurrent workshop may get the same slug: then the next number is tried.
    const slug = freeSlug(settings.slug, await listSlugsLike(tx, settings.slug));
    if (await insertWorkshop(tx, workshopId, { ...settings, slug }, at)) return slug;
  }
}
