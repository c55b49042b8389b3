/** The outer edge, in Kannel's place: it accepts every text, counts how often each came, and reports it as delivered, again while it is refused. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Carrier {
  /** Settings of the processes that send through it. */
  readonly settings: Readonly<Record<string, string>>;
  /** By recipient and text. */
  readonly texts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export async function startCarrier(): Promise<Carrier> {
  const texts = new Map<string, number>();
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const text = `${searchParams.get('to')} ${searchParams.get('text')}`;
    texts.set(text, (texts.get(text) ?? 0) + 1);
    response.writeHead(202).end('0: Accepted for delivery');
    const url = searchParams.get('dlr-url')?.replace('%d', '1').replace('%A', 'delivered');
    if (url !== undefined) void report(url, stopping.signal);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      PITLANE_SMS_GATEWAYS: 'kannel',
      KANNEL_URL: `http://127.0.0.1:${port}/cgi-bin/sendsms`,
      KANNEL_USERNAME: 'pitlane',
      KANNEL_PASSWORD: 'carrier-of-the-cluster',
      KANNEL_CALLBACK_TOKEN: 'callback-token-of-the-carrier-of-the-cluster',
    },
    texts,
    async stop() {
      stopping.abort();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Sends a delivery report each second, for a minute at most, until Pitlane has taken it. */
async function report(url: string, stopped: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < 60 && !stopped.aborted; attempt++) {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await pause(1_000);
  }
}
