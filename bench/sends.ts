/** Messages of a partner, with a gateway that answers at once and with one that takes its time. */
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import type { Found, Size } from './bench.ts';
import { beside } from './beside.ts';
import { customerOrder } from './bookings.ts';
import { analyse } from './fill.ts';
import { sendLimit } from './flows.ts';
import { type Caller, httpLoad, rawRequest } from './http.ts';
import type { SharedInstallation } from './shared.ts';

const connections = 16;
const slowMs = 50;
const slowConnections = 50;

const sendRequests = (caller: Caller, workshopId: string) =>
  customerOrder.map((n) =>
    rawRequest(caller, 'POST', `/workshops/${workshopId}/messages`, {
      phone: `+614${10_000_000 + n}`,
      channels: { sms: { message: 'Your car is ready to collect.' } },
    }),
  );

export async function sendRows({ rounds, seconds }: Size, shared: SharedInstallation): Promise<Found> {
  const { db, clock, server, made } = await shared.running();
  const { partnerId, workshopId } = made;
  const requests = sendRequests(await shared.caller(), workshopId);
  const load = { connections, port: server.port, requests, expectedStatus: 200 };
  const outbox = sandboxOutbox(db, clock);
  // Conversations and messages, so that all plans are made on tables with statistics.
  await httpLoad({ ...load, seconds: 1 });
  await analyse(db);
  const rows = await beside(
    rounds,
    `Send a message, gateway 0 ms (${connections} connections)`,
    () => httpLoad({ ...load, seconds }),
    [
      {
        name: 'driver loop, the same three statements',
        run: () => sendLimit({ db, outbox, clock, partnerId, workshopId, concurrency: connections, seconds }),
      },
    ],
  );
  return { rows };
}

export async function slowSendRows({ rounds, seconds }: Size, shared: SharedInstallation): Promise<Found> {
  const { server, made } = await shared.running({ env: { SANDBOX_SMS_LATENCY_MS: `${slowMs}` } });
  const requests = sendRequests(await shared.caller(), made.workshopId);
  const perSecond = (slowConnections * 1_000) / slowMs;
  const rows = await beside(
    rounds,
    `Send a message, gateway ${slowMs} ms (${slowConnections} connections)`,
    () =>
      httpLoad({
        ...{ connections: slowConnections, seconds, port: server.port, requests, expectedStatus: 200 },
      }),
    [
      {
        name: 'concurrency ÷ latency',
        run: async () => ({ perSecond, p50: slowMs, p95: slowMs, p99: slowMs }),
      },
    ],
  );
  return { rows };
}
