/** GET /webhooks/{id}/deliveries: a page of an endpoint's log, newest first. */
import type { Context } from '#context.ts';
import { invalidFields } from '#errors.ts';
import { cursorAt, type Filters, readCursor } from '#http/paging.ts';
import { isId } from '#values/id.ts';
import { parseInstant } from '#values/instant.ts';
import { requireWebhook } from '../../require.ts';
import type { ListDeliveriesQuery, WebhookDelivery } from './schema.ts';
import { type DeliveryFilters, type LogPosition, listDeliveries } from './store.ts';

export interface DeliveryPage {
  readonly deliveries: WebhookDelivery[];
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for times that end before they begin and for a cursor of another list, 404 110001. */
export async function listOwnDeliveries(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  partnerId: string,
  id: string,
  query: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  const filters = filtersOf(query);
  const { id: webhookId } = await requireWebhook(db, partnerId, id);
  const bound: Filters = {
    webhookId,
    status: filters.status,
    action: filters.action,
    from: filters.from?.toISOString(),
    to: filters.to?.toISOString(),
  };
  const { limit = 50, cursor } = query;
  const after = cursor === undefined ? null : positionOf(cursor, bound);
  const aheadSeconds = clock.advanceSeconds();
  const rows = await listDeliveries(db, { webhookId, filters, after, limit: limit + 1, aheadSeconds });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    deliveries: page.map(({ delivery }) => delivery),
    nextCursor: more ? cursorAt([last.createdAt, last.id], bound) : null,
  };
}

function filtersOf({ status, action, from, to }: ListDeliveriesQuery): DeliveryFilters {
  const filters = { status, action, from: instantIn(from), to: instantIn(to) };
  if (filters.from !== undefined && filters.to !== undefined && filters.to < filters.from)
    throw invalidFields([{ field: 'to', message: 'must not be before from' }]);
  return filters;
}

const instantIn = (text: string | undefined) =>
  text === undefined ? undefined : (parseInstant(text) ?? undefined);

const isInstant = (part: string) => parseInstant(part) !== null;

function positionOf(cursor: string, bound: Filters): LogPosition {
  const [createdAt = '', id = ''] = readCursor(cursor, [isInstant, isId], bound);
  return { createdAt, id };
}
