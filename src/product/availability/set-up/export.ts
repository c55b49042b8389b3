/** A workshop's set-up in the form that the import takes. */

import type { Queryable } from '#platform/db/database.ts';
import { readCatalogue, type Service } from '#product/catalogue/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import type { Setup } from './setup.ts';
import { readOwnSections } from './store.ts';

/** The JSON text; importing it again changes nothing. Throws OperatorError when there is no such workshop. */
export async function exportWorkshop(
  db: Queryable,
  workshopId: string,
): Promise<{ readonly workshopId: string } & Setup> {
  const workshop = await requireWorkshop(db, workshopId);
  const { setup } = await readWhole(db, workshop.workshopId);
  return { workshopId: workshop.workshopId, ...asShown(setup) };
}

/** Undecided values are exported as their effective values. */
export const asShown = ({ settings, ...setup }: Setup): Setup => ({
  ...setup,
  settings: { ...settings, plainPage: settings.plainPage ?? false },
});

/** The set-up of an existing workshop, and its active services with their ids. */
export async function readWhole(
  db: Queryable,
  workshopId: string,
): Promise<{ readonly setup: Setup; readonly services: readonly Service[] }> {
  const own = await readOwnSections(db, workshopId);
  if (own === null) throw new Error('the workshop has disappeared');
  const { services, limits } = await readCatalogue(db, workshopId);
  const setup = { ...own, categories: limits, services: services.map(({ _id, ...service }) => service) };
  return { setup, services };
}
