/**
 * What all processes of an installation take of the machine's memory: the launcher, the server and the embedded PostgreSQL with its
 * backends. Proportional set sizes (PSS), in which a page that several share counts once; read from /proc, so on Linux alone.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { say } from './beside.ts';
import { createRequests } from './bookings.ts';
import { httpLoad, signIn } from './http.ts';
import { startServer } from './system.ts';
import { untilSent } from './until-sent.ts';
import { makeWorkshop } from './world.ts';

const perSecond = 300;
const settleAtMostMs = 60_000;
/** Idle connections of the server are closed meanwhile, and V8 gives back what it can. */
const idleMs = 20_000;
const aims = { idle: 220, loaded: 320 };

interface Taken {
  readonly name: string;
  readonly mib: number;
}

const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');

/** A process and all that it started, without those that end meanwhile. */
function processesOf(pid: number): Taken[] {
  try {
    const children = read(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
    const name = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const kib = Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0);
    const short = name.replace(/^\S*\/(\S+)( .*)?$/s, '$1').replace(/ pitlane \S+ \[local\]/, '');
    return [{ name: short, mib: kib / 1_024 }, ...children.flatMap(processesOf)];
  } catch {
    return [];
  }
}

function lines(title: string, aim: number, taken: readonly Taken[]): string {
  const all = taken.reduce((sum, { mib }) => sum + mib, 0);
  const byName = [...Map.groupBy(taken, ({ name }) => name)].map(([name, of]) => {
    const mib = of.reduce((sum, one) => sum + one.mib, 0);
    return `| ${name}${of.length > 1 ? ` (${of.length})` : ''} | ${mib.toFixed(1)} |`;
  });
  return `| ${title} | MiB |
|---|---|
${byName.join('\n')}
| **All** (aim: under ${aim}) | **${all.toFixed(0)}** |
`;
}

/** Two tables: idle, and after `seconds` of bookings with their notices. */
export async function memoryTables({ seconds }: { readonly seconds: number }): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-memory-'));
  try {
    const server = await startServer({ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off' });
    say('Memory, idle …');
    await sleep(idleMs);
    const idle = processesOf(server.pid);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const { credentials, workshopId } = await makeWorkshop(db, systemClock());
    const caller = await signIn(server.port, credentials);
    say(`Memory, ${seconds} s of ${perSecond} bookings a second …`);
    const requests = createRequests(caller, workshopId);
    await httpLoad({ connections: 32, requests, port: server.port, expectedStatus: 201, seconds, perSecond });
    await untilSent(db, settleAtMostMs);
    await db.close();
    const loaded = processesOf(server.pid);
    await sleep(idleMs);
    const later = processesOf(server.pid);
    await server.stop();
    return [
      lines('Idle', aims.idle, idle),
      lines(`After ${seconds} s of ${perSecond} bookings a second`, aims.loaded, loaded),
      lines(`${idleMs / 1_000} s later`, aims.loaded, later),
    ].join('\n');
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
