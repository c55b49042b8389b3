/** Measures the free times of a busy workshop, beside the statements behind them. */
import { addDays, localDay } from '#base/values/local-day.ts';
import { knownRules } from '#product/availability/places/rules.ts';
import { readUsageFor } from '#product/availability/store.ts';
import type { Found, Size } from './bench.ts';
import { beside } from './beside.ts';
import { fillBusyWeek } from './busy-week.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import { driverLoop } from './limit.ts';
import type { SharedInstallation } from './shared.ts';
import { makeWorkshop } from './world.ts';

/** One connection, so that the latency is the server's own. */
export async function availabilityRows(size: Size, shared: SharedInstallation): Promise<Found> {
  const { rounds, seconds } = size;
  const { db, clock, server } = await shared.running();
  // A workshop of its own, so that its bookings do not affect other rows.
  const { credentials, partnerId, workshopId } = await makeWorkshop(db, clock);
  const { port } = server;
  const caller = await signIn(port, credentials);
  const { from, unlimited } = await fillBusyWeek(db, clock, { partnerId, workshopId });
  const days = Array.from({ length: 7 }, (_, n) => localDay(addDays(from, n), 'Australia/Melbourne'));
  const limited = (await knownRules(db, workshopId))?.limits.services ?? new Map();
  const limits = [{ kind: 'category', key: 'tyres' }] as const;
  const path = `/workshops/${workshopId}/availabilities?from=${from}&catalogId=${unlimited}`;
  const requests = [rawRequest(caller, 'GET', path)];
  const rows = await beside(
    rounds,
    'Availabilities, 10,000 bookings in the week (1 connection)',
    () => httpLoad({ connections: 1, seconds, port, requests, expectedStatus: 200 }),
    [
      {
        name: 'driver loop, the same two statements side by side',
        run: () =>
          driverLoop(
            async () => {
              await readUsageFor(db, partnerId, { workshopId, days, limits, limited }, true);
            },
            db,
            { concurrency: 1, seconds },
          ),
      },
    ],
  );
  return { rows };
}
