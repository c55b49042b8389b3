/** The requests of the hot paths, for any build of Pitlane: those that are counted one by one, and those that are its load. */
import { createBody } from '../create-sql.ts';
import type { Caller } from '../http.ts';
import type { PathName } from './counts.ts';
import { availableFrom } from './setup.ts';

export interface PathRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly expectedStatus: number;
}

export interface PathWorld {
  readonly caller: Caller;
  readonly workshopId: string;
  /** A service of its catalogue. */
  readonly catalogId: string;
  /** Some booking of the partner's. */
  readonly bookingId: string;
}

/** A customer's number: five digits each, so that no row is longer than another. */
const customerNumber = (n: number) => 10_000 + (n % 90_000);

/** The nth request of a path; each is of a customer of its own, where it is of one. */
export function pathRequest(name: Exclude<PathName, 'drain'>, world: PathWorld, n: number): PathRequest {
  const { workshopId, catalogId, bookingId } = world;
  const get = (path: string) => ({ method: 'GET', path, expectedStatus: 200 }) as const;
  switch (name) {
    case 'create':
      return {
        ...{ method: 'POST', path: '/bookings', expectedStatus: 201 },
        body: createBody(workshopId, customerNumber(n)),
      };
    case 'read':
      return get(`/bookings/${bookingId}`);
    case 'list':
      return get('/bookings?limit=50');
    case 'message':
      return {
        ...{ method: 'POST', path: `/workshops/${workshopId}/messages`, expectedStatus: 200 },
        body: {
          phone: `+614${20_000_000 + customerNumber(n)}`,
          channels: { sms: { message: 'Your car is ready to collect.' } },
        },
      };
    case 'availabilities':
      return get(`/workshops/${workshopId}/availabilities?from=${availableFrom}&catalogId=${catalogId}`);
  }
}

/** Sends it; throws when it is refused. */
export async function ask(
  base: string,
  caller: Caller,
  { method, path, body, expectedStatus }: PathRequest,
): Promise<unknown> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      'x-partner-id': caller.partnerId,
      authorization: `Bearer ${caller.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== expectedStatus)
    throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
  return JSON.parse(text);
}
