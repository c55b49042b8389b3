/** The operator enables a partner's endpoint, or disables it. */
import type { Clock } from '#base/clock.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type Endpoint, requireEndpoint, setEndpointStatus } from './store.ts';

/** Throws OperatorError when there is no such endpoint. What the operator has disabled no partner enables. */
export async function changeEndpointStatus(
  db: Queryable,
  clock: Clock,
  webhookId: string,
  status: 'enabled' | 'disabled',
): Promise<Endpoint> {
  const { webhookId: id } = await requireEndpoint(db, webhookId);
  await setEndpointStatus(db, id, status, clock.now());
  return requireEndpoint(db, id);
}
