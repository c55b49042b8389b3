/** GET /reports/partner. */
import type { Context } from '#platform/context.ts';
import { preferredType } from '#platform/http/negotiate.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { csvOf } from './csv.ts';
import { getPartnerReport } from './operations.ts';
import { readPartnerReport } from './read.ts';

export function reportRoutes(context: Context): Route[] {
  return [
    route(getPartnerReport, async ({ partnerId, query, request, reply }) => {
      reply.header('vary', 'Accept');
      const contentType = preferredType(request.headers, ['application/json', 'text/csv']);
      const report = await readPartnerReport(context, partnerId, query);
      return contentType === 'text/csv'
        ? { status: 200, contentType, body: csvOf(report.groups) }
        : { status: 200, contentType, body: report };
    }),
  ];
}
