/** GET /sandbox/requests. */

import { newId } from '#base/values/id.ts';
import { formatInstant } from '#base/values/instant.ts';
import { type Route, route } from '#platform/http/operation.ts';
import type { RequestLog } from '#platform/http/request-log.ts';
import * as operations from './operations.ts';
import { hasOutcome } from './outcome.ts';
import type { Method } from './schema.ts';

export function sandboxRequestRoutes(log: RequestLog): Route[] {
  const processId = newId();
  return [
    route(operations.listSandboxRequests, async ({ query: { partnerId, id, outcome, limit = 50 } }) => {
      const requests = (await log.list())
        .filter((each) => partnerId === undefined || each.partnerId === partnerId)
        .filter((each) => id === undefined || each.id === id)
        .filter((each) => outcome === undefined || hasOutcome(each, outcome))
        .slice(0, limit)
        .map((each) => ({
          ...each,
          method: each.method as Method,
          at: formatInstant(each.at),
          ignoredFields: [...each.ignoredFields],
          errors: [...each.errors],
        }));
      return { requests, redacted: log.redacted, processId };
    }),
  ];
}
