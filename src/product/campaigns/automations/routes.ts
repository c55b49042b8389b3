/** GET /workshops/{id}/automations, POST /workshops/{id}/automations/{automationId}/trigger. */

import { idOr, isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { cutPage, pageOf } from '#platform/http/paging.ts';
import { phoneOf } from '#product/messaging/named/named.ts';
import { requireCampaigns, requireLinked } from '#product/workshops/access/gate.ts';
import { findGate } from '#product/workshops/access/store.ts';
import * as operations from './operations.ts';
import { findAutomation, listAutomations } from './store.ts';
import { triggerAutomation } from './trigger.ts';
import { wireAutomation } from './wire.ts';

export function automationRoutes(context: Context): Route[] {
  const { db } = context;

  return [
    route(operations.listAutomations, async ({ partnerId, params: { id }, query }) => {
      const page = pageOf(query, { list: 'automations', filters: { workshopId: id.toLowerCase() } });
      requireLinked(await findGate(db, partnerId, id));
      const rows = await listAutomations(db, id, page.after, page.limit + 1);
      const { items, nextCursor } = cutPage(rows, page);
      return { success: true, automations: items.map(wireAutomation), nextCursor };
    }),

    route(
      operations.triggerAutomation,
      async ({ partnerId, actor, params, body: sent, accept, once, reply }) => {
        const isNamed =
          typeof sent.customerId === 'string' || (sent.phone !== undefined && sent.phone !== null);
        const missing = { field: 'phone', message: 'is required when customerId is omitted' };
        const body = accept(isNamed ? [] : [missing]);
        requireCampaigns(await findGate(db, partnerId, params.id));
        const automation = isId(params.automationId)
          ? await findAutomation(db, params.id, params.automationId)
          : null;
        if (automation === null)
          throw new Problem('090001', { message: 'Automation not found under this workshop' });
        const customerId = idOr(body.customerId, null);
        const sentPhone = { customerId, field: 'phone', phone: body.phone ?? '' };
        const request = {
          ...{ partnerId, actor, automation, customerId, bookingId: idOr(body.bookingId, null) },
          phone: await phoneOf(context, { partnerId, workshopId: params.id, ...sentPhone }),
          referenceId: body.referenceId ?? null,
          onLimit: (headers: Record<string, string>) => reply.headers(headers),
        };
        return once(async (claim) => ({
          success: true,
          run: await triggerAutomation(context, { ...request, claim }),
        }));
      },
    ),
  ];
}
