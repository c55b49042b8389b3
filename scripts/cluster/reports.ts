/** Reads partner reports through the proxy while others book, and says how old each was. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Load } from './load.ts';

const everyMs = 250;
const dayMs = 86_400_000;

export interface Reports {
  /** Ends it; the outcome so far. */
  stop(): Promise<ReportsRead>;
}

export interface ReportsRead {
  readonly read: number;
  /** By any other status, or error. */
  readonly failed: number;
  /** How long ago the first booking that a report lacked had been acknowledged when it was asked for: the longest. */
  readonly oldestMs: number;
}

export function startReports({ url }: Cluster, { acknowledged, headers }: Load): Reports {
  const dates = [-dayMs, dayMs].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
  const address = `${url}/reports/partner?from=${dates[0]}&to=${dates[1]}`;
  let [read, failed, oldestMs, stopped] = [0, 0, 0, false];

  async function readOne(): Promise<void> {
    const askedAtMs = performance.now();
    // In the order in which they were acknowledged.
    const before = acknowledged.length;
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(35_000) });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const { totals } = (await response.json()) as { totals: { bookingsCreated: number } };
    read++;
    const lacking = totals.bookingsCreated < before ? acknowledged[totals.bookingsCreated] : undefined;
    if (lacking !== undefined) oldestMs = Math.max(oldestMs, askedAtMs - lacking.atMs);
  }

  const reading = (async () => {
    while (!stopped) {
      await readOne().catch(() => failed++);
      await pause(everyMs);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await reading;
      return { read, failed, oldestMs };
    },
  };
}

const readWithinMs = 20_000;

/** Whether reports are read from the replica again, within 20 s. */
export async function isReplicaRead(cluster: Cluster): Promise<boolean> {
  const before = await readsOfReplica(cluster);
  const deadline = AbortSignal.timeout(readWithinMs);
  while (!deadline.aborted) {
    await pause(everyMs);
    if ((await readsOfReplica(cluster)) > before) return true;
  }
  return false;
}

/** How many reads each API process has made on the replica since its start. */
export async function readsOfReplica({ places }: Cluster): Promise<number> {
  const counts = await Promise.all(
    places.apiPorts.map(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
        signal: AbortSignal.timeout(10_000),
      });
      const found = /^pitlane_replica_reads_total\{outcome="replica"\} (\d+)$/m.exec(await response.text());
      return Number(found?.[1] ?? 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
