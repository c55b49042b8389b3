/** /console/w/{slug}/today: the day, and staff's changes to the whole day. */
import { Problem } from '#errors.ts';
import { readDate } from '#platform/pages/form.ts';
import { fullToday } from '#product/bookings/staff/close.ts';
import { readDay } from '#product/bookings/staff/day/store.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { layOut } from '../days/day.ts';
import { behindOf, readDays, todayAt } from '../days/read.ts';
import { closingRoutes, type RefusedTool, type ToolPage, toolRoute } from '../days/tool-routes.ts';
import { page, type WorkshopRoute } from '../frame/console-page.ts';
import { refusal } from '../frame/form.ts';
import { versionOf } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { countWaiting } from '../waiting/store.ts';
import { dayTools } from './tools.ts';
import { dayPage } from './view.ts';

async function showDay(visit: WorkshopVisit, refused: RefusedTool | null = null) {
  const { context, oldReads, workshop, query, form } = visit;
  const today = todayAt(context, workshop);
  const from = readDate(form['date'] ?? query['date']) ?? today;
  const [days, waiting] = await Promise.all([
    readDays(oldReads, workshop, { from, count: 1 }, readDay),
    countWaiting(context.db, workshop.workshopId, context.clock),
  ]);
  const [day] = layOut(context, workshop, days);
  if (day === undefined) throw new Problem('000002');
  if (from !== today)
    await countShown(
      visit,
      day.bookings.map(({ customerId }) => customerId),
    );
  const shown = await dayPage(visit, day, waiting, {
    tools: dayTools(visit, day, refused),
    refused: refused && refusal(refused.refused),
    done: query['done'],
  });
  return { ...shown, ...behindOf(oldReads, workshop, from) };
}

const place: ToolPage = { path: 'today', shownBy: 'date', show: showDay };

export const todayRoutes: readonly WorkshopRoute[] = [
  page('today', 'seeBookings', (visit) => showDay(visit)),
  toolRoute(place, 'note', 'noted', ({ workshop, actor, form }, context) =>
    setDayNote(context, {
      ...{ workshopId: workshop.workshopId, date: form['date'] ?? '', text: form['text'] ?? '' },
      ...{ seen: versionOf(form), actor },
    }),
  ),
  toolRoute(place, 'full', 'full', ({ workshop, actor }, context) =>
    fullToday(context, { workshopId: workshop.workshopId, actor }),
  ),
  ...closingRoutes(place),
];
