/** Event streams of the console: how soon they say that a booking was made, and what they cost the process, at a fixed rate of bookings. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { newId, timeOfId } from '#base/values/id.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { say } from './beside.ts';
import { createRequests } from './bookings.ts';
import { deskOf } from './desk.ts';
import { analyse } from './fill.ts';
import { httpLoad, signIn } from './http.ts';
import { percentiles } from './percentiles.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

const bookingsPerSecond = 300;
const streams = 200;
/** As many as a session may have. */
const ofSession = 8;
const aimMs = 1_000;
/** Of `/proc`: the clock ticks of a second. */
const ticks = 100;

interface LiveBench {
  readonly rounds: number;
  readonly seconds: number;
}

/** CPU seconds of a process so far; null where there is no /proc. */
function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticks;
  } catch {
    return null;
  }
}

/** What one stream said, and when, by the machine's clock. */
interface Said {
  readonly atMs: number;
  readonly text: string;
}

/** All at the one workshop, so that each hears of each booking; the first keeps what it hears. */
async function openStreams(
  port: number,
  requestOf: () => Promise<string>,
): Promise<{ readonly said: readonly Said[]; close(): void }> {
  const said: Said[] = [];
  const sockets: Socket[] = [];
  let ready = 0;
  let request = '';
  for (let n = 0; n < streams; n++) {
    if (n % ofSession === 0) request = await requestOf();
    const own = request;
    const socket = connect(port, '127.0.0.1', () => socket.write(own));
    sockets.push(socket);
    let begin = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (n === 0) said.push({ atMs: Date.now(), text });
      if (begin.includes('event: ready')) return;
      begin += text;
      if (begin.includes('event: ready')) ready++;
    });
  }
  while (ready < streams) await sleep(20);
  return {
    said,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** From the id of each booking, which its request got as it came, to the first message that names it, or that says `all`. */
async function latencies(db: Database, sinceId: string, said: readonly Said[]): Promise<number[]> {
  const made = await db.query<{ id: string }>('SELECT id FROM booking WHERE id > $1', [sinceId]);
  const first = new Map<string, number>();
  const alls = said.filter(({ text }) => text.includes('"kind":"all"')).map(({ atMs }) => atMs);
  for (const { atMs, text } of said) {
    for (const [, id = ''] of text.matchAll(/"kind":"booking","id":"([^"]+)"/g))
      if (!first.has(id)) first.set(id, atMs);
  }
  return made.map(({ id }) => {
    const begun = timeOfId(id)?.getTime() ?? 0;
    const heard = Math.min(
      first.get(id) ?? Number.POSITIVE_INFINITY,
      alls.find((at) => at >= begun) ?? Number.POSITIVE_INFINITY,
    );
    if (heard === Number.POSITIVE_INFINITY) throw new Error(`no stream said that booking ${id} was made`);
    return Math.max(0, heard - begun);
  });
}

/** With and without streams by turns. The worker is no part of it: what streams say does not wait for the relay. */
export async function liveRow({ rounds, seconds }: LiveBench): Promise<{ row: Row; notes: string[] }> {
  const name = `From a booking's request to the hint on ${streams} streams (${bookingsPerSecond} bookings a second)`;
  say(`${name} …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-live-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const server = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const made = await makeWorkshop(db, systemClock());
    const caller = await signIn(server.port, made.credentials);
    const requests = createRequests(caller, made.workshopId);
    const load = { connections: 32, requests, port: server.port, expectedStatus: 201 };
    const book = (forSeconds: number) =>
      httpLoad({ ...load, seconds: forSeconds, perSecond: bookingsPerSecond });
    await book(2);
    await analyse(db);
    const busy = async () => {
      const begun = cpuSeconds(server.pid);
      await book(seconds);
      const ended = cpuSeconds(server.pid);
      return begun === null || ended === null ? Number.NaN : (ended - begun) / seconds;
    };
    const cpu = { without: [] as number[], with: [] as number[] };
    const heard: number[] = [];
    for (let round = 0; round < rounds; round++) {
      cpu.without.push(await busy());
      const opened = await openStreams(server.port, async () => (await deskOf(db, made))('changes'));
      const since = newId();
      cpu.with.push(await busy());
      await sleep(aimMs);
      heard.push(...(await latencies(db, since, opened.said)));
      opened.close();
      await sleep(500);
    }
    await db.close();
    await server.stop();
    const of = (shares: number[]) => shares.map((share) => share.toFixed(2)).join(', ');
    return {
      row: {
        ...{ name, limitName: `aim: p99 of ${aimMs} ms` },
        api: { perSecond: heard.length / seconds / rounds, ...percentiles(heard) },
        limit: { perSecond: bookingsPerSecond, p50: aimMs, p95: aimMs, p99: aimMs },
      },
      notes: [
        `CPU of the API's process at ${bookingsPerSecond} bookings a second, in cores: ${of(cpu.without)} without streams, ${of(cpu.with)} with ${streams} of the one workshop, by turns.`,
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
