/** Servers for the benchmark: `pitlane serve` as a child, on a database of its own, on loopback. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FloorOptions } from './floor.ts';

const launcher = fileURLToPath(new URL('../bin/pitlane.mjs', import.meta.url));

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** From the start of the process until it said that it is ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Starts a server and waits for the line of JSON that says where it listens. */
export function startServer(env: Readonly<Record<string, string>>): Promise<Server> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['--max-semi-space-size=8', launcher, 'serve', '--json'], {
      env: { MALLOC_ARENA_MAX: '1', ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    const ended = new Promise<void>((done) => {
      child.once('exit', () => {
        running.delete(child);
        done();
      });
    });
    createInterface({ input: child.stdout }).once('line', (line) => {
      const { url } = JSON.parse(line) as { readonly url: string | null };
      resolve({
        pid: child.pid ?? 0,
        port: url === null ? 0 : Number(new URL(url).port),
        readyMs: performance.now() - startedAt,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      });
    });
    void ended.then(() => reject(new Error('the server ended before it was ready')));
  });
}

/** Starts the floor (`bench/floor.ts`) over a database that is filled. */
export function startFloor(options: FloorOptions): Promise<{ readonly port: number; stop(): void }> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./floor.ts', import.meta.url));
    running.add(child);
    child.once('message', (port) => resolve({ port: Number(port), stop: () => child.kill('SIGTERM') }));
    child.once('exit', () => {
      running.delete(child);
      reject(new Error('the floor ended before it was ready'));
    });
    child.send(options);
  });
}

/** Resident memory of a process in MiB; null where there is no /proc. */
export function residentMiB(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch {
    return null;
  }
}
