/** The limit that the API is compared with: the same SQL on the same server, without the API. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Queryable } from '#platform/db/database.ts';
import { percentiles } from './percentiles.ts';

export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface LimitRun {
  readonly url: string;
  readonly concurrency: number;
  readonly seconds: number;
}

export function hasPgbench(): boolean {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs a pgbench script with prepared statements; latencies come from its log. */
export async function pgbench(script: string, { url, concurrency, seconds }: LimitRun): Promise<Rate> {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-pgbench-'));
  try {
    const file = join(folder, 'script.sql');
    writeFileSync(file, script);
    const { hostname, port, username, password, pathname } = new URL(url);
    const threads = String(Math.min(2, concurrency));
    const args = [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(concurrency),
      '-j',
      threads,
      '-T',
      String(seconds),
      '-f',
      file,
      '-l',
    ];
    const { stdout } = await promisify(execFile)(
      'pgbench',
      [
        ...args,
        '--log-prefix',
        join(folder, 'log'),
        '-h',
        // A folder, where it listens on a Unix socket.
        decodeURIComponent(hostname),
        '-p',
        port,
        '-U',
        decodeURIComponent(username),
        pathname.slice(1),
      ],
      { env: { ...process.env, PGPASSWORD: decodeURIComponent(password) } },
    );
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (!(perSecond > 0)) throw new Error(`pgbench ran nothing in ${seconds} s: ${stdout}`);
    const times = readdirSync(folder)
      .filter((name) => name.startsWith('log'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .map((line) => Number(line.split(' ')[2]) / 1000);
    return { perSecond, ...percentiles(times) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When pgbench is missing, and for several statements: a bare loop over the driver. */
export async function driverLoop(
  work: (db: Queryable) => Promise<unknown>,
  db: Queryable,
  { concurrency, seconds }: Pick<LimitRun, 'concurrency' | 'seconds'>,
): Promise<Rate> {
  const times: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const loop = async () => {
    while (performance.now() < endAt) {
      const sentAt = performance.now();
      await work(db);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { perSecond: times.length / ((performance.now() - startedAt) / 1000), ...percentiles(times) };
}
