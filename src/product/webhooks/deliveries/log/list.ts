/** GET /webhooks/{id}/deliveries: a page of an endpoint's log, newest first. */
import type { Context } from '#platform/context.ts';
import { filterTexts, periodOf } from '#platform/http/list-filters.ts';
import { cutPage, timedPageOf } from '#platform/http/paging.ts';
import { requireWebhook } from '../../read.ts';
import type { ListDeliveriesQuery, WebhookDelivery } from './schema.ts';
import { listDeliveries } from './store.ts';

export interface DeliveryPage {
  readonly deliveries: WebhookDelivery[];
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for an end before the beginning and for a cursor of another list, 404 110001. */
export async function listOwnDeliveries(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  partnerId: string,
  id: string,
  query: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  const { status, action } = query;
  const filters = { status, action, ...periodOf(query) };
  const { id: webhookId } = await requireWebhook(db, partnerId, id);
  const page = timedPageOf(query, { list: 'deliveries', filters: filterTexts({ webhookId, ...filters }) });
  const rows = await listDeliveries(db, {
    ...{ webhookId, filters, after: page.after, limit: page.limit + 1 },
    aheadSeconds: clock.advanceSeconds(),
  });
  const { items, nextCursor } = cutPage(rows, page, ({ id: deliveryId, delivery }) => [
    delivery.createdAt,
    deliveryId,
  ]);
  return { deliveries: items.map(({ delivery }) => delivery), nextCursor };
}
