/** A partner with a workshop, over the database of a server process. */
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { createPartner } from '#product/partners/create.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';
import { cheapHash } from '../harness/world.ts';

/** Its credentials, and the workshop that it is linked to. */
export async function makePartner(db: Database) {
  const clock = systemClock();
  const partner = await createPartner({ db, clock }, 'Example Fleet', actors.operator, cheapHash);
  const { workshopId } = await createWorkshop(
    { db, clock },
    {
      name: 'Harbour Motors',
      country: 'AU',
      timezone: 'Australia/Melbourne',
      phone: '0355501234',
      email: 'desk@harbour.example',
    },
    actors.operator,
  );
  await setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active: true }, actors.operator);
  return { ...partner, workshopId };
}
