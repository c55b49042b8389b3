/** /console/w/{slug}/week: seven days from today or another date, and staff's changes to them. */
import { Problem } from '#errors.ts';
import { readDate } from '#platform/pages/form.ts';
import { behindOf, todayAt } from '../days/read.ts';
import { closingRoutes, type RefusedTool } from '../days/tool-routes.ts';
import { page, type WorkshopRoute } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { lastOfWeek, readWeek } from './read.ts';
import { weekTools } from './tools.ts';
import { weekPage } from './view.ts';

async function showWeek(visit: WorkshopVisit, refused: RefusedTool | null = null) {
  const { context, oldReads, workshop, query, form } = visit;
  const today = todayAt(context, workshop);
  const from = readDate(form['from'] ?? query['from']) ?? today;
  const [first, ...others] = await readWeek(oldReads, workshop, from);
  if (first === undefined) throw new Problem('000002');
  if (from !== today)
    await countShown(
      visit,
      [first, ...others].flatMap(({ cells }) =>
        cells.flatMap(({ begin }) => begin.map(({ booking }) => booking.customerId)),
      ),
    );
  const tools = await weekTools(visit, [first, ...others], refused);
  const shown = weekPage(visit, [first, ...others], { refused, tools });
  return { ...shown, ...behindOf(oldReads, workshop, lastOfWeek(from)) };
}

export const weekRoutes: readonly WorkshopRoute[] = [
  page('week', 'seeBookings', (visit) => showWeek(visit)),
  ...closingRoutes({ path: 'week', shownBy: 'from', show: showWeek }),
];
