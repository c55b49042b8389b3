/** Finds quotes for staff: one by its id or code, or a workshop's quotes. */
import type { Queryable } from '#db/database.ts';
import { found, InvalidInput } from '#operator-error.ts';
import { readCode } from '#values/code.ts';
import { isId } from '#values/id.ts';
import { requireWorkshop } from '#workshops/store.ts';
import { quoteStatuses } from '../schema.ts';
import { findWorkshopQuote, listWorkshopQuotes, type WorkshopQuote } from './store.ts';

/** Throws OperatorError when there is no such quote. */
export async function requireQuote(db: Queryable, idOrCode: string): Promise<WorkshopQuote> {
  const quote = await findWorkshopQuote(db, isId(idOrCode) ? { id: idOrCode } : { code: readCode(idOrCode) });
  return found('quote', idOrCode, quote);
}

export interface QuoteSearch {
  readonly workshopId: string;
  /** As typed; all when absent. */
  readonly status: string | undefined;
  readonly limit: number;
  /** The last quote of the page before. */
  readonly before: string | null;
}

/** The newest first. Throws InvalidInput for an unknown status, OperatorError when there is no such workshop. */
export async function findQuotes(db: Queryable, search: QuoteSearch): Promise<WorkshopQuote[]> {
  const { workshopId } = await requireWorkshop(db, search.workshopId);
  const statuses = quoteStatuses.filter((status) => (search.status ?? status) === status);
  if (statuses.length === 0) {
    throw new InvalidInput([{ field: 'status', message: `must be one of ${quoteStatuses.join(', ')}` }]);
  }
  return listWorkshopQuotes(db, { workshopId, statuses, before: search.before, limit: search.limit });
}
