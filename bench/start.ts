/** How long a start on an existing data folder takes, and what the process holds when nobody asks for anything. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Found, Size } from './bench.ts';
import { say } from './beside.ts';
import type { SharedInstallation } from './shared.ts';
import { residentMiB, startServer } from './system.ts';

export async function startNotes({ quick }: Size, shared: SharedInstallation): Promise<Found> {
  say('Idle memory and start …');
  await shared.running();
  await shared.stop();
  const env = { PITLANE_DATA_DIR: shared.dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' };
  const { readyMs, pid, stop } = await startServer(env);
  await sleep(quick ? 500 : 5_000);
  const memory = residentMiB(pid);
  await stop();
  return {
    notes: [
      `Ready on an existing data folder: ${(readyMs / 1000).toFixed(2)} s (aim: 3 s).`,
      `Idle memory of the Node process: ${memory === null ? 'not measured here' : `${Math.round(memory)} MiB`} (aim: under 200 MiB).`,
    ],
  };
}
