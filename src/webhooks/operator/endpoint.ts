/** Endpoints by the id that an operator typed. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { type Endpoint, findEndpoint, setEndpointStatus } from './store.ts';

/** Throws OperatorError when there is no such endpoint. */
export async function requireEndpoint(db: Queryable, webhookId: string): Promise<Endpoint> {
  const endpoint = isId(webhookId) ? await findEndpoint(db, webhookId) : null;
  if (endpoint === null)
    throw new OperatorError(`there is no webhook endpoint ${webhookId} (pitlane webhook list shows them)`);
  return endpoint;
}

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
