/** The operation of the request log. */

import { operation } from '#platform/http/operation.ts';
import { requestsAtMost } from '#platform/http/request-log.ts';
import { listSandboxRequestsDetails } from './details.ts';
import { listRequestsExamples } from './examples.ts';
import { RequestsAnswer, RequestsQuery } from './schema.ts';

export const listSandboxRequests = operation({
  id: 'listSandboxRequests',
  method: 'GET',
  path: '/sandbox/requests',
  tag: 'Sandbox',
  access: 'thisMachine',
  summary: 'Look at the last requests',
  description:
    `Newest first: what partners asked, what the service answered, which fields it did not know, and what was wrong. Each process keeps its last ${requestsAtMost} ` +
    'in memory; secrets, tokens and passwords are never kept, and with a real gateway no values of bodies are. `/sandbox/requests.html` shows them as a page.',
  details: listSandboxRequestsDetails,
  query: RequestsQuery,
  success: { status: 200, schema: RequestsAnswer },
  refusals: {},
  examples: listRequestsExamples,
});
