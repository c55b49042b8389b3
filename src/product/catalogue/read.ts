/** The catalogue as partners see it. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import { categoryLabels, serviceCategories } from './categories.ts';
import type { CatalogueAnswer } from './schema.ts';
import { readLinkedCatalogue } from './store.ts';

/** Throws 404 030001 for a workshop that the partner is not linked to. */
export async function readServices(
  db: Queryable,
  partnerId: string,
  workshopId: string,
): Promise<CatalogueAnswer> {
  const catalogue = isId(workshopId) ? await readLinkedCatalogue(db, partnerId, workshopId) : null;
  if (catalogue === null) throw new Problem('030001');
  const limits = new Map(catalogue.limits.map(({ code, dailyLimit }) => [code, dailyLimit]));
  return {
    success: true,
    categories: serviceCategories.map((code) => ({
      code,
      label: categoryLabels[code],
      dailyLimit: limits.get(code) ?? null,
    })),
    services: [...catalogue.services],
  };
}
