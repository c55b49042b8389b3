/** GET /leads/calls: a page of a partner's calls. */
import type { Static } from 'typebox';
import type { Context } from '#context.ts';
import { commonFilters, filterTexts } from '#http/list-filters.ts';
import { cutPage, timedPageOf } from '#http/paging.ts';
import { requireOwnWorkshop } from '#workshops/access/own-list.ts';
import type { CallLead, ListCallLeadsQuery } from '../schema.ts';
import { listCalls } from './store.ts';

export interface CallPage {
  readonly callLeads: CallLead[];
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for times that end before they begin and for a cursor of another list, 404 030001. */
export async function listOwnCalls(
  { db }: Pick<Context, 'db'>,
  partnerId: string,
  query: Static<typeof ListCallLeadsQuery>,
): Promise<CallPage> {
  const { outcome } = query;
  const filters = { ...commonFilters(query), ...(outcome === undefined ? {} : { outcome }) };
  await requireOwnWorkshop(db, partnerId, filters);
  const page = timedPageOf(query, { list: 'calls', filters: filterTexts(filters) });
  const rows = await listCalls(db, partnerId, filters, page.after, page.limit + 1);
  const { items, nextCursor } = cutPage(rows, page, ({ id, callLead }) => [callLead.calledAt, id]);
  return { callLeads: items.map(({ callLead }) => callLead), nextCursor };
}
