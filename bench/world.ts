/** The partner and the workshop that the load is about. */

import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { weekdays } from '#base/values/weekday.ts';
import type { Database } from '#platform/db/database.ts';
import type { TimeRange } from '#product/availability/schedule.ts';
import { createPartner } from '#product/partners/create.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';

/** The hours of a workshop that is open in the same way on each day. */
export const everyDay = (...hours: readonly TimeRange[]) =>
  Object.fromEntries(weekdays.map((weekday) => [weekday, hours]));

export async function makeWorkshop(db: Database, clock: Clock) {
  const credentials = await createPartner({ db, clock }, 'Bench', actors.operator);
  const { partnerId } = credentials;
  const { workshopId, slug } = await createWorkshop(
    { db, clock },
    {
      name: 'Bench Motors',
      country: 'AU',
      timezone: 'Australia/Melbourne',
      phone: '0355501234',
      email: 'desk@bench.example',
    },
    actors.operator,
  );
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  return { credentials, partnerId, workshopId, slug };
}
