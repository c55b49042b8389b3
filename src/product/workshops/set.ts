/** Changes the settings of a workshop. */

import { found, takenByAnother } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { waitForOlderWrites } from '#platform/db/older-writes.ts';
import { judgeQuietAnew, wakeQueuesOf } from './queues/store.ts';
import { requireKnownTimezone } from './require-timezone.ts';
import { readSettings, type SettingsInput } from './settings.ts';
import { holdUpPlaces, lockWorkshop, requireWorkshop, updateWorkshop, type Workshop } from './store.ts';

/**
 * Changes the sent settings and returns the workshop after the change. Throws InvalidInput, which names every bad field, and
 * OperatorError when there is no such workshop.
 */
export async function setWorkshop(
  context: ChangeContext,
  idOrSlug: string,
  input: SettingsInput,
  actor: Actor,
): Promise<Workshop> {
  const { workshopId } = await requireWorkshop(context.db, idOrSlug);
  try {
    const changed = await change(context, async ({ tx, now: updatedAt }) => {
      const present = found('workshop', workshopId, await lockWorkshop(tx, workshopId));
      const settings = readSettings(input, present);
      if (settings.timezone !== present.timezone) await requireKnownTimezone(tx, settings.timezone);
      await updateWorkshop(tx, workshopId, settings, updatedAt);
      const subject = { kind: 'workshop', id: workshopId };
      await recordEntry(tx, {
        ...{ actor, workshopId, subject, action: 'workshop.changed', at: updatedAt },
        ...{ before: { ...present }, after: { ...present, ...settings } },
      });
      if (String(settings.smsGateways) !== String(present.smsGateways)) {
        // Queued messages use the new route at once; they need not wait for a gateway of the old one.
        await wakeQueuesOf(tx, workshopId);
      }
      if (settings.timezone !== present.timezone) {
        await judgeQuietAnew(tx, workshopId);
        // Last: bookings wait for it.
        await holdUpPlaces(tx, workshopId);
      }
      return { present, workshop: { ...present, ...settings, updatedAt } };
    });
    // Its local days have changed: bookings that began before this commit took their places on the old ones.
    if (changed.workshop.timezone !== changed.present.timezone)
      await waitForOlderWrites(context.db, 'booking');
    return changed.workshop;
  } catch (error) {
    if (input.slug !== undefined && violatedConstraint(error) === 'workshop_slug_key')
      throw takenByAnother('workshop', 'slug', input.slug);
    throw error;
  }
}
