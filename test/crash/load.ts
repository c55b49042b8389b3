/** Partners' clients that keep creating bookings, and record the responses. */
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../harness/http.ts';
import { until } from '../harness/wait.ts';
import { bookingBody } from '../harness/world.ts';

/** Leaves processor time to other tests. */
const betweenMs = 10;

export interface Client {
  readonly url: string;
  readonly workshopId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs in at a server. */
export async function clientOf(
  url: string,
  {
    partnerId,
    appKey,
    secret,
    workshopId,
  }: Readonly<Record<'partnerId' | 'appKey' | 'secret' | 'workshopId', string>>,
): Promise<Client> {
  const answer = await send(`${url}/auth/token`, 'POST', {
    headers: { 'x-partner-id': partnerId },
    body: { appKey, secret },
  });
  if (answer.status !== 200) throw new Error(`signing in gave ${answer.status}: ${answer.body?.message}`);
  return {
    url,
    workshopId,
    headers: { 'x-partner-id': partnerId, authorization: `Bearer ${answer.body.token}` },
  };
}

export interface Load {
  /** Ids of the bookings that a client was given with 201. */
  readonly created: string[];
  /** How many responses had each status other than 201. */
  readonly refused: Map<number, number>;
  /** Requests without any response. */
  readonly unanswered: () => number;
  /** Resolves when that many bookings have been created in total. */
  reach(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts that many clients; each sends its next booking after the response to the last. They stop with the test, at the latest. */
export function createBookings(t: TestContext, client: Client, clients: number): Load {
  const created: string[] = [];
  const refused = new Map<number, number>();
  let unanswered = 0;
  let stopping = false;

  async function createOne(): Promise<void> {
    const number = randomInt(10 ** 7);
    const body = bookingBody(client.workshopId, {
      customerPhone: `04${String(10_000_000 + number)}`,
      carRego: `L${number}`,
      customerName: `Driver ${number}`,
    });
    try {
      const answer = await send(`${client.url}/bookings`, 'POST', { headers: client.headers, body });
      if (answer.status === 201) created.push(answer.body.booking.id);
      else refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1);
    } catch {
      unanswered++;
    }
  }

  const loops = Array.from({ length: clients }, async () => {
    while (!stopping) {
      await createOne();
      await pause(betweenMs);
    }
  });
  const stop = async () => {
    stopping = true;
    await Promise.all(loops);
  };
  t.after(stop);
  return {
    created,
    refused,
    unanswered: () => unanswered,
    async reach(count) {
      const left = () => `${created.length} of ${count} bookings; refused: ${[...refused].join()}`;
      await until(left, () => created.length >= count, 60_000, 5);
    },
    stop,
  };
}
