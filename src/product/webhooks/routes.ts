/** Webhook endpoints, their deliveries, and the feed of events. */

import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { cutPage, pageOf } from '#platform/http/paging.ts';
import { createWebhook } from './create.ts';
import { removeWebhook } from './delete.ts';
import { listOwnDeliveries } from './deliveries/log/list.ts';
import { replayOne, replaySince } from './deliveries/log/replay.ts';
import { testCall } from './deliveries/log/test-call.ts';
import { listOwnEvents } from './feed/list.ts';
import * as operations from './operations.ts';
import { requireWebhook } from './read.ts';
import { rotateSecret } from './rotate.ts';
import { listWebhooks } from './store.ts';
import { updateWebhook } from './update.ts';
import { urlFaults } from './url.ts';

export function webhookRoutes(context: Context): Route[] {
  const { db, outbound } = context;
  return [
    route(operations.createWebhook, async ({ partnerId, actor, body: sent, accept, once }) => {
      const body = accept(urlFaults(outbound, sent.url));
      return once(async (claim) => {
        const created = await createWebhook(context, partnerId, body, claim, actor);
        return created && { success: true, ...created };
      });
    }),

    route(operations.listWebhooks, async ({ partnerId, query }) => {
      const page = pageOf(query, { list: 'webhooks' });
      const { items, nextCursor } = cutPage(
        await listWebhooks(db, partnerId, page.after, page.limit + 1),
        page,
      );
      return { success: true, webhooks: items.map(({ webhook }) => webhook), nextCursor };
    }),

    route(operations.getWebhook, async ({ partnerId, params: { id } }) => ({
      success: true,
      webhook: await requireWebhook(db, partnerId, id),
    })),

    route(operations.updateWebhook, async ({ partnerId, actor, params: { id }, body: sent, accept }) => {
      const body = accept(urlFaults(outbound, sent.url));
      return { success: true, webhook: await updateWebhook(context, partnerId, id, body, actor) };
    }),

    route(operations.deleteWebhook, async ({ partnerId, actor, params: { id } }) => {
      await removeWebhook(context, partnerId, id, actor);
    }),

    route(operations.testWebhook, async ({ partnerId, params: { id }, reply }) => ({
      success: true,
      delivery: await testCall(context, partnerId, id, (headers) => reply.headers(headers)),
    })),

    route(operations.rotateSecret, async ({ partnerId, actor, params: { id } }) => ({
      success: true,
      ...(await rotateSecret(context, partnerId, id, actor)),
    })),

    route(operations.listDeliveries, async ({ partnerId, params: { id }, query }) => ({
      success: true,
      ...(await listOwnDeliveries(context, partnerId, id, query)),
    })),

    route(operations.replayDelivery, async ({ partnerId, params: { id, deliveryId }, reply }) => ({
      success: true,
      deliveries: await replayOne(context, partnerId, id, deliveryId, (headers) => reply.headers(headers)),
    })),

    route(operations.replayDeliveries, async ({ partnerId, params: { id }, body, reply }) => ({
      success: true,
      deliveries: await replaySince(context, partnerId, id, body, (headers) => reply.headers(headers)),
    })),

    route(operations.listEvents, async ({ partnerId, query }) => ({
      success: true,
      ...(await listOwnEvents(context, partnerId, query)),
    })),
  ];
}
