/** Messages a second through a real Kannel, compared with the same load on Kannel's own HTTP interface. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { kannel as kannelProgram, provideProgram } from '../scripts/test/programs.ts';
import { run } from '../scripts/test/run.ts';
import { type Kannel, runKannel } from '../test/harness/kannel-processes.ts';
import { findKannel } from '../test/harness/kannel-programs.ts';
import { freePorts } from '../test/harness/ports.ts';
import type { Found, Size } from './bench.ts';
import { beside, say } from './beside.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import type { Rate } from './limit.ts';
import type { Installation, SharedInstallation } from './shared.ts';
import { startServer } from './system.ts';

const text = 'Your car is ready to collect.';
/** Other phones than those of earlier rows, since each phone takes a limited number of messages. */
const phones = Array.from({ length: 20_000 }, (_, n) => `+614${30_000_000 + n}`);
const connections = 16;
/** How long Kannel may take for its remaining reports; then the next round begins. */
const settleAtMostMs = 5_000;

interface KannelSides {
  readonly api: () => Promise<Rate>;
  readonly limit: () => Promise<Rate>;
  stop(): Promise<void>;
}

export async function kannelRow({ rounds, seconds }: Size, shared: SharedInstallation): Promise<Found> {
  // Kannel works on the rest of a round for seconds after it.
  const sides = await startKannelSides(await shared.running(), Math.min(seconds, 4));
  if (typeof sides === 'string') {
    say(`Through Kannel: skipped, ${sides}`);
    return { notes: [`Messages through Kannel were not measured: ${sides}.`] };
  }
  const rows = await beside(rounds, `Send a message through Kannel (${connections} connections)`, sides.api, [
    { name: "Kannel's own sendsms, driven directly", run: sides.limit },
  ]);
  await sides.stop();
  return { rows };
}

/**
 * A Kannel with its fake SMS centre, and a server that sends through it. Both loads ask for delivery reports: the API records
 * those of its messages; those of the limit go to a server that ignores them. Resolves to the reason when Kannel can be neither
 * found nor installed.
 */
async function startKannelSides(
  { env, url, made }: Installation,
  seconds: number,
): Promise<KannelSides | string> {
  const missing = await provideProgram(run, kannelProgram);
  const programs = findKannel();
  if (programs === null) return missing ?? 'there is no Kannel';
  const [port = 0] = await freePorts(1);
  const kannel = await runKannel(programs, `http://127.0.0.1:${port}`, { logsAll: false });
  const sink = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const server = await startServer({
    ...env,
    DATABASE_URL: url,
    ...kannel.settings,
    PORT: String(port),
    PITLANE_GATEWAY_CONCURRENCY: `kannel:${connections}`,
  });
  const caller = await signIn(server.port, made.credentials);
  const sends = phones.map((phone) =>
    rawRequest(caller, 'POST', `/workshops/${made.workshopId}/messages`, {
      phone,
      channels: { sms: { message: text } },
    }),
  );
  const direct = directRequests(kannel, (sink.address() as AddressInfo).port);

  const side = (load: { port: number; requests: readonly string[]; expectedStatus: number }) => async () => {
    await untilSettled(kannel);
    return httpLoad({ connections, seconds, ...load });
  };
  return {
    api: side({ port: server.port, requests: sends, expectedStatus: 200 }),
    limit: side({ port: direct.port, requests: direct.requests, expectedStatus: 202 }),
    async stop() {
      await untilSettled(kannel);
      await server.stop();
      await kannel.remove();
      sink.closeAllConnections();
      sink.close();
    },
  };
}

/** The requests that the Kannel gateway makes, on kept connections: Kannel's best case. */
function directRequests({ settings }: Kannel, sinkPort: number) {
  const { KANNEL_URL = '', KANNEL_USERNAME = '', KANNEL_PASSWORD = '' } = settings;
  const { port, host, pathname } = new URL(KANNEL_URL);
  const requests = phones.map((to, n) => {
    const query = new URLSearchParams({
      ...{ username: KANNEL_USERNAME, password: KANNEL_PASSWORD, to, text, charset: 'UTF-8', coding: '0' },
      ...{ 'dlr-mask': '19', 'dlr-url': `http://127.0.0.1:${sinkPort}/?reference=${n}&type=%d&detail=%A` },
    });
    return `GET ${pathname}?${query} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  });
  return { port: Number(port), requests };
}

/** Waits for messages and reports of the previous round, so that they do not burden the next. */
async function untilSettled(kannel: Kannel): Promise<void> {
  const deadline = AbortSignal.timeout(settleAtMostMs);
  while (/\b[1-9]\d* queued|store size [1-9]/.test(await kannel.status())) {
    if (deadline.aborted) return;
    await sleep(50);
  }
}
