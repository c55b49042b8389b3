/** Measures the free times of a busy workshop, beside the statements behind them. */

import type { Clock } from '#base/clock.ts';
import { addDays, localDay } from '#base/values/local-day.ts';
import type { Database } from '#platform/db/database.ts';
import { knownRules } from '#product/availability/places/rules.ts';
import { readUsageFor } from '#product/availability/store.ts';
import { beside } from './beside.ts';
import { fillBusyWeek } from './busy-week.ts';
import { type Caller, httpLoad, rawRequest } from './http.ts';
import { driverLoop } from './limit.ts';
import type { Row } from './report.ts';

interface AvailabilityBench {
  readonly db: Database;
  readonly clock: Clock;
  readonly port: number;
  readonly caller: Caller;
  /** A workshop of its own, so that its bookings do not affect other rows. */
  readonly workshopId: string;
  readonly rounds: number;
  readonly seconds: number;
}

/** One connection, so that the latency is the server's own. */
export async function availabilityRows(bench: AvailabilityBench): Promise<Row[]> {
  const { db, clock, port, caller, workshopId, rounds, seconds } = bench;
  const { partnerId } = caller;
  const { from, unlimited } = await fillBusyWeek(db, clock, { partnerId, workshopId });
  const days = Array.from({ length: 7 }, (_, n) => localDay(addDays(from, n), 'Australia/Melbourne'));
  const limited = (await knownRules(db, workshopId))?.limits.services ?? new Map();
  const limits = [{ kind: 'category', key: 'tyres' }] as const;
  const path = `/workshops/${workshopId}/availabilities?from=${from}&catalogId=${unlimited}`;
  const requests = [rawRequest(caller, 'GET', path)];
  return beside(
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
}
