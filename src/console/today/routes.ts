/** /console/w/{slug}/today: the day. */
import { Problem } from '#errors.ts';
import { readDate } from '#platform/pages/form.ts';
import { page, type WorkshopRoute } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { countWaiting } from '../waiting/store.ts';
import { dayOf } from './day.ts';
import { dayPage } from './view.ts';

async function showDay(visit: WorkshopVisit) {
  const { context, workshop, query } = visit;
  const [day, waiting] = await Promise.all([
    dayOf(context, workshop, readDate(query['date'])),
    countWaiting(context.db, workshop.workshopId, context.clock.now()),
  ]);
  if (day === null) throw new Problem('000002');
  return dayPage(visit, day, waiting, null);
}

export const todayRoutes: readonly WorkshopRoute[] = [page('today', 'seeBookings', showDay)];
