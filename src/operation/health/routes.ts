/** GET /health/live and /health/ready: for whoever runs the service. */

import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { writingProbe } from '#platform/db/write-probe.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { isLive, isReady } from './operations.ts';

export function healthRoutes({ db }: Context): Route[] {
  const probe = writingProbe(db);
  return [
    route(isLive, async () => ({ status: 'ok' })),

    route(isReady, async ({ request }) => {
      await probe().catch((err) => {
        request.log.warn({ err }, 'not ready: nothing can be written');
        throw new Problem('000007', {
          message: 'The database takes no writes',
          headers: { 'retry-after': '2' },
        });
      });
      return { status: 'ok' };
    }),
  ];
}
