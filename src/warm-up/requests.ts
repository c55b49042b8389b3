/** The requests of a rehearsal: those that partners send most. */
import type { FastifyInstance } from 'fastify';
import { actors } from '#base/values/actor.ts';
import { nilId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import { createBooking } from '#product/bookings/create.ts';
import { connectTo, requestText } from './connection.ts';
import type { World } from './world.ts';

type Method = 'GET' | 'POST';

export interface Counts {
  readonly bookings: number;
  readonly reads: number;
}

/** At a time: they share round trips, as requests do that come together. */
const together = 8;

export interface Rehearsed {
  readonly context: Context;
  /** Null in a process that serves no requests: its bookings are made without any. */
  readonly app: FastifyInstance | null;
  readonly world: World;
  readonly counts: Counts;
}

/** Makes bookings, reads them, and asks for what is free. Rejects when a request gets another answer than it should. */
export async function rehearseRequests({ context, app, world, counts }: Rehearsed): Promise<void> {
  if (app !== null) return request(app, world, counts);
  const { partnerId, workshopId } = world;
  const actor = actors.partner(partnerId, '', nilId);
  for (let n = 0; n < counts.bookings; n++) {
    const body = bookingOf(workshopId, n);
    await createBooking(context, { partnerId, actor, body, phone: body.customerPhone, claim: null });
  }
}

async function request(
  { server }: FastifyInstance,
  world: World,
  { bookings, reads }: Counts,
): Promise<void> {
  const { partnerId, workshopId, token } = world;
  const headers = { authorization: `Bearer ${token}`, 'x-partner-id': partnerId };
  const connections = Array.from({ length: together }, () => connectTo(server));

  async function times(
    count: number,
    [method, path, expected]: readonly [Method, (n: number) => string, number],
    bodyOf?: (n: number) => object,
  ): Promise<string[]> {
    const bodies: string[] = [];
    const each = connections.map(async (connection, first) => {
      for (let n = first; n < count; n += together) {
        const { status, body } = await connection.send(requestText(method, path(n), headers, bodyOf?.(n)));
        if (status !== expected) throw new Error(`${method} ${path(n)} gave ${status}: ${body}`);
        bodies.push(body);
      }
    });
    // All of them have ended when one has failed.
    const failed = (await Promise.allSettled(each)).find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return bodies;
  }

  try {
    const made = await times(bookings, ['POST', () => '/bookings', 201], (n) => bookingOf(workshopId, n));
    const ids = made.map((body) => (JSON.parse(body) as { booking: { id: string } }).booking.id);
    await times(reads, ['GET', (n) => `/bookings/${ids[n % ids.length]}`, 200]);
    await times(reads / 4, ['GET', () => `/workshops/${workshopId}/availabilities`, 200]);
    // No workshop has this id, so that no gateway is ever called.
    await times(reads / 2, ['POST', () => `/workshops/${nilId}/messages`, 404], () => text);
  } finally {
    for (const connection of connections) connection.close();
  }
}

const text = { phone: '+61491570006', channels: { sms: { message: 'Your car is ready to collect.' } } };

function bookingOf(workshopId: string, n: number) {
  return {
    workshopId,
    carRego: `WARM${n}`,
    carMake: 'Toyota',
    bookingTime: '2090-03-02T22:30:00Z',
    customerName: 'Sam Taylor',
    customerPhone: `+614${10_000_000 + n}`,
    customerEmail: `sam${n}@customer.example`,
    notes: 'Squeaks when braking',
  };
}
