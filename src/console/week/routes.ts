/** /console/w/{slug}/week: seven days from today or another date, and staff's changes to them. */
import { Problem } from '#errors.ts';
import { readDate } from '#platform/pages/form.ts';
import { todayAt } from '../days/read.ts';
import { closingRoutes, type RefusedTool } from '../days/tool-routes.ts';
import { page, type WorkshopRoute } from '../frame/console-page.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { readWeek } from './read.ts';
import { weekPage } from './view.ts';

async function showWeek(visit: WorkshopVisit, refused: RefusedTool | null = null) {
  const { context, workshop, query, form } = visit;
  const from = readDate(form['from'] ?? query['from']) ?? todayAt(context, workshop);
  const [first, ...others] = await readWeek(context, workshop, from);
  if (first === undefined) throw new Problem('000002');
  return weekPage(visit, [first, ...others], refused);
}

export const weekRoutes: readonly WorkshopRoute[] = [
  page('week', 'seeBookings', (visit) => showWeek(visit)),
  ...closingRoutes({ path: 'week', shownBy: 'from', show: showWeek }),
];
