/** Sets a workshop up from the JSON form, all or nothing. */

import { isDeepStrictEqual } from 'node:util';
import { foundById } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Changes } from '#platform/audit/changes.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { waitForOlderWrites } from '#platform/db/older-writes.ts';
import { replaceCategoryLimits, replaceServices } from '#product/catalogue/store.ts';
import { readDataUrl } from '#product/workshops/logo/logo.ts';
import { replaceLogo } from '#product/workshops/logo/store.ts';
import { lockWorkshop } from '#product/workshops/store.ts';
import { asShown, readWhole } from './export.ts';
import { type OutsideHours, readOutsideHours } from './outside.ts';
import { readSetup } from './read.ts';
import { type SentSetup, type Setup, withSent } from './setup.ts';
import { replaceCustomDays, writeSettings } from './store.ts';
import { setupChanges } from './trail.ts';

export interface Imported {
  readonly workshopId: string;
  /** Active ones only, in order. */
  readonly services: readonly { readonly catalogCode: string; readonly _id: string }[];
  /** Upcoming bookings outside the new hours, which stay as they are; null: the text names neither hours nor custom days. */
  readonly outsideHours: OutsideHours | null;
}

/**
 * Imports the JSON text of all or some sections: an absent section stays, a present one replaces the stored one. Writes nothing
 * when nothing differs. After it resolves, the new set-up applies to every booking. Throws OperatorError that names every fault, or
 * that there is no such workshop.
 */
export async function importWorkshop(context: ChangeContext, text: string, actor: Actor): Promise<Imported> {
  const { workshopId, sections } = readSetup(text);
  const { db, clock } = context;
  const imported = await change(context, async ({ tx, now: at }) => {
    const workshop = await foundById('workshop', workshopId, () => lockWorkshop(tx, workshopId));
    const changes = await writeSetup(tx, workshop.workshopId, sections, at);
    await recordEntry(tx, {
      ...{ actor, workshopId: workshop.workshopId, subject: { kind: 'workshop', id: workshop.workshopId } },
      ...{ action: 'workshop.setUp', ...changes, at },
    });
    const { services } = await readWhole(tx, workshop.workshopId);
    return {
      workshopId: workshop.workshopId,
      services: services.map(({ catalogCode, _id }) => ({ catalogCode, _id })),
    };
  });
  // Wait for bookings that began before this commit: they use the old set-up, and queries of usage do not see them yet.
  await waitForOlderWrites(db, 'booking');
  const namesHours = sections.hours !== undefined || sections.custom !== undefined;
  const outsideHours = namesHours
    ? await readOutsideHours(db, { workshopId: imported.workshopId, now: clock.now() })
    : null;
  return { ...imported, outsideHours };
}

/**
 * Writes the sections that differ, and returns the changes; a new service gets an id by its index. The caller has locked the
 * workshop.
 */
export async function writeSetup(
  tx: Queryable,
  workshopId: string,
  sections: SentSetup,
  at: Date,
  idOf: (position: number) => string = newId,
): Promise<Changes> {
  const { setup: present } = await readWhole(tx, workshopId);
  const next = withSent(present, sections);
  const differs = (name: keyof Setup) => !isDeepStrictEqual(present[name], next[name]);
  if (differs('custom')) await replaceCustomDays(tx, workshopId, next.custom);
  if (differs('categories')) await replaceCategoryLimits(tx, workshopId, next.categories);
  if (differs('services'))
    await replaceServices(
      tx,
      workshopId,
      next.services,
      next.services.map((_, position) => idOf(position)),
      at,
    );
  const { page } = next.settings;
  if (page.logo !== present.settings.page.logo) {
    await replaceLogo(tx, workshopId, page.logo === null ? null : readDataUrl(page.logo), at);
  }
  if (!isDeepStrictEqual(asShown(present), asShown(next))) await writeSettings(tx, workshopId, next, at);
  return setupChanges(asShown(present), asShown(next));
}
