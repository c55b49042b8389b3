/** GET /workshops. */
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { cutPage, pageOf } from '#platform/http/paging.ts';
import { listWorkshops } from './operations.ts';
import { listLinkedWorkshops } from './store.ts';

export function workshopRoutes({ db }: Context): Route[] {
  return [
    route(listWorkshops, async ({ partnerId, query }) => {
      const page = pageOf(query, { list: 'workshops' });
      const rows = await listLinkedWorkshops(db, partnerId, page.after, page.limit + 1);
      const { items, nextCursor } = cutPage(rows, page);
      return { success: true, workshops: items, nextCursor };
    }),
  ];
}
