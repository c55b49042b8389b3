/** GET /workshops/{id}/blasts, GET /workshops/{id}/blasts/{blastId}, POST /workshops/{id}/blasts/{blastId}/trigger. */

import { isId } from '#base/values/id.ts';
import { parseInstant } from '#base/values/instant.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { cutPage, pageOf } from '#platform/http/paging.ts';
import { requireCampaigns, requireLinked } from '#product/workshops/access/gate.ts';
import { findGate } from '#product/workshops/access/store.ts';
import * as operations from './operations.ts';
import { findBlast, listBlasts } from './store.ts';
import { triggerBlast } from './trigger.ts';
import { wireBlast } from './wire.ts';

const noBlast = () => new Problem('090001', { message: 'Blast not found under this workshop' });

export function blastRoutes(context: Context): Route[] {
  const { db } = context;

  return [
    route(operations.listBlasts, async ({ partnerId, params: { id }, query }) => {
      const page = pageOf(query, { list: 'blasts', filters: { workshopId: id.toLowerCase() } });
      requireLinked(await findGate(db, partnerId, id));
      const { items, nextCursor } = cutPage(await listBlasts(db, id, page.after, page.limit + 1), page);
      return { success: true, blasts: items.map(wireBlast), nextCursor };
    }),

    route(operations.getBlast, async ({ partnerId, params: { id, blastId } }) => {
      requireLinked(await findGate(db, partnerId, id));
      const blast = isId(blastId) ? await findBlast(db, id, blastId) : null;
      if (blast === null) throw noBlast();
      return { success: true, blast: wireBlast(blast) };
    }),

    route(operations.triggerBlast, async ({ partnerId, actor, params: { id, blastId }, body, once }) => {
      requireCampaigns(await findGate(db, partnerId, id));
      if (!isId(blastId)) throw noBlast();
      const scheduledAt = typeof body.scheduledAt === 'string' ? parseInstant(body.scheduledAt) : null;
      const request = {
        workshopId: id,
        blastId,
        ...{ partnerId, actor },
        referenceId: body.referenceId ?? null,
        scheduledAt,
      };
      return once(async (claim) => ({
        success: true,
        blast: await triggerBlast(context, { ...request, claim }),
      }));
    }),
  ];
}
