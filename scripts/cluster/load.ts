/** Clients that create bookings through the proxy, and repeat what got no answer under the same Idempotency-Key. */
import { setTimeout as pause } from 'node:timers/promises';
import { bookingBody } from '../../test/harness/world.ts';
import type { Cluster } from './cluster.ts';

const clients = 8;
const patienceMs = 60_000;

export interface Acknowledged {
  readonly id: string;
  /** Of the request: also its customer's name. */
  readonly key: string;
  readonly atMs: number;
}

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** Of the partner that is signed in. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many first attempts ended otherwise than with 201, by status or error. */
  readonly failures: ReadonlyMap<string, number>;
  /** Keys that got no 201 within a minute. */
  readonly lost: readonly string[];
  /** The longest time without an acknowledgement since then, in ms. */
  longestGapSince(sinceMs: number): number;
  stop(): Promise<void>;
}

export async function startLoad({ url, world }: Cluster, perSecond: number): Promise<Load> {
  const { partnerId, appKey, secret } = world.credentials;
  const partner = { 'content-type': 'application/json', 'x-partner-id': partnerId };
  const post = async (path: string, headers: Readonly<Record<string, string>>, body: object) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(35_000) });
    const text = await response.text();
    return { status: response.status, text };
  };
  const signedIn = await post('/auth/token', partner, { appKey, secret });
  if (signedIn.status !== 200) throw new Error(`signing in gave ${signedIn.status}: ${signedIn.text}`);
  const headers = { ...partner, authorization: `Bearer ${JSON.parse(signedIn.text).token}` };

  const acknowledged: Acknowledged[] = [];
  const failures = new Map<string, number>();
  const lost: string[] = [];
  let stopped = false;
  let made = 0;

  async function book(): Promise<void> {
    const number = made++;
    const key = `Load ${number}`;
    const phone = `+614${10_000_000 + number}`;
    const body = bookingBody(world.workshopId, {
      customerName: key,
      customerPhone: phone,
      customerEmail: `load${number}@customer.example`,
    });
    const deadline = performance.now() + patienceMs;
    for (let attempt = 1; performance.now() < deadline; attempt++) {
      let outcome: string;
      try {
        const { status, text } = await post('/bookings', { ...headers, 'idempotency-key': key }, body);
        if (status === 201) {
          acknowledged.push({ id: JSON.parse(text).booking.id, key, atMs: performance.now() });
          return;
        }
        outcome = String(status);
        if (status < 500 && status !== 409 && status !== 429)
          throw new Error(`${key} got ${status}: ${text}`);
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
        outcome = error.cause instanceof Error ? error.cause.message : error.name;
      }
      if (attempt === 1) failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
      await pause(250);
    }
    lost.push(key);
  }

  const each = Array.from({ length: clients }, async () => {
    while (!stopped) {
      const dueAt = performance.now() + (clients / perSecond) * 1_000;
      await book();
      await pause(Math.max(0, dueAt - performance.now()));
    }
  });
  const ended = Promise.all(each);
  // Whoever stops it gets the error.
  ended.catch(() => undefined);
  return {
    ...{ acknowledged, headers, failures, lost },
    longestGapSince(sinceMs) {
      const times = acknowledged.map(({ atMs }) => atMs).filter((atMs) => atMs >= sinceMs);
      const ends = [...times.sort((a, b) => a - b), performance.now()];
      return Math.max(...ends.map((atMs, at) => atMs - (ends[at - 1] ?? sinceMs)));
    },
    async stop() {
      stopped = true;
      await ended;
    },
  };
}
