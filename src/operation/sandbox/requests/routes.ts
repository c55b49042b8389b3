/** GET /sandbox/requests. */

import { newId } from '#base/values/id.ts';
import { formatInstant } from '#base/values/instant.ts';
import { type Route, route } from '#platform/http/operation.ts';
import type { LoggedRequest, RequestLog } from '#platform/http/request-log.ts';
import * as operations from './operations.ts';
import type { Method } from './schema.ts';

type Outcome = 'accepted' | 'refused' | 'ignored';

const has: Readonly<Record<Outcome, (request: LoggedRequest) => boolean>> = {
  accepted: ({ status }) => status < 400,
  refused: ({ status }) => status >= 400,
  ignored: ({ ignoredFields }) => ignoredFields.length > 0,
};

export function sandboxRequestRoutes(log: RequestLog): Route[] {
  const processId = newId();
  return [
    route(operations.listSandboxRequests, async ({ query: { partnerId, id, outcome, limit = 50 } }) => {
      const requests = (await log.list())
        .filter((each) => partnerId === undefined || each.partnerId === partnerId)
        .filter((each) => id === undefined || each.id === id)
        .filter((each) => outcome === undefined || has[outcome](each))
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
