/** POST /workshops/{id}/messages, GET /workshops/{id}/messages/{messageId}, GET /workshops/{id}/templates. */

import { isId } from '#base/values/id.ts';
import { formatInstant } from '#base/values/instant.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { cutPage, pageOf } from '#platform/http/paging.ts';
import { rateLimitHeaders } from '#platform/http/rate-limit.ts';
import { listPublishedTemplates } from '#product/templates/store.ts';
import { requireMessaging } from '#product/workshops/access/gate.ts';
import { findGate } from '#product/workshops/access/store.ts';
import * as operations from './operations.ts';
import { smsResult } from './outcome.ts';
import { contentErrors, messageLimit } from './rules.ts';
import { sendMessage } from './send.ts';
import { readMessage } from './store.ts';

export function messagingRoutes(context: Context): Route[] {
  const { db } = context;

  return [
    route(operations.sendMessage, async ({ partnerId, actor, params, body: sent, accept, reply }) => {
      const body = accept(contentErrors(sent));
      const { outcome, remaining } = await sendMessage(context, {
        partnerId,
        workshopId: params.id,
        body,
        actor,
      });
      reply.headers(rateLimitHeaders(messageLimit, remaining, 1000));
      return smsResult(outcome, body.referenceId ?? null);
    }),

    route(operations.getMessage, async ({ partnerId, params: { id, messageId } }) => {
      const message = isId(id) && isId(messageId) ? await readMessage(db, partnerId, id, messageId) : null;
      if (message !== null) return { success: true, message };
      const isLinked = (await findGate(db, partnerId, id)) !== null;
      throw new Problem(isLinked ? '120001' : '030001');
    }),

    route(operations.listTemplates, async ({ partnerId, params: { id }, query }) => {
      const page = pageOf(query, { list: 'templates', filters: { workshopId: id.toLowerCase() } });
      requireMessaging(await findGate(db, partnerId, id));
      const rows = await listPublishedTemplates(db, { workshopId: id, ...page });
      const { items, nextCursor } = cutPage(rows, page);
      const templates = items.map((item) => ({ ...item, updatedAt: formatInstant(item.updatedAt) }));
      return { success: true, templates, nextCursor };
    }),
  ];
}
