/** A build of Pitlane in some folder, driven from outside: its command line, its processes and their HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../test/harness/ports.ts';

export interface Build {
  /** Runs a command with `--json`; `input` is its standard input. Throws what it says when it fails. */
  command<Result>(args: readonly string[], input?: string): Promise<Result>;
  /** Starts a process over that database; resolves when it serves, a worker at once. */
  start(role: 'api' | 'worker', databaseUrl: string): Promise<Running>;
}

export interface Running {
  /** 0 of a worker. */
  readonly port: number;
  stop(): Promise<void>;
}

const readyWithinMs = 120_000;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** `root` has `bin/pitlane.mjs`; the folder is for what its processes keep, and is made. */
export function buildIn(root: string, folder: string, databaseUrl: string): Build {
  mkdirSync(folder, { recursive: true });
  const launch = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    spawn(process.execPath, ['--max-semi-space-size=8', join(root, 'bin', 'pitlane.mjs'), ...args], {
      // Nothing of the caller's shell, and no `.env` of a current folder: both builds have the same settings.
      env: {
        ...{ PATH: process.env['PATH'] ?? '', MALLOC_ARENA_MAX: '1', PITLANE_ENV_FILE: '/dev/null' },
        ...{ PITLANE_DATA_DIR: folder, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', ...env },
      },
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  return {
    async command<Result>(args: readonly string[], input = '') {
      const child = launch([...args, '--json'], { DATABASE_URL: databaseUrl });
      child.stdin.end(input);
      const [printed, said, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      if (code !== 0) throw new Error(`pitlane ${args.join(' ')} in ${root} ended with ${code}: ${said}`);
      return JSON.parse(printed) as Result;
    },
    async start(role, url) {
      const [port = 0] = role === 'api' ? await freePorts(1) : [];
      const child = launch(['serve', '--role', role], { DATABASE_URL: url, PORT: String(port) });
      child.stdin.end();
      child.stdout.resume();
      let said = '';
      child.stderr.on('data', (chunk) => {
        said = `${said}${chunk}`.slice(-2_000);
      });
      running.add(child);
      const ended = once(child, 'exit').then(() => running.delete(child));
      if (role === 'api')
        await Promise.race([
          becomesReady(port),
          ended.then(() => {
            throw new Error(`the server of ${root} ended before it was ready: ${said}`);
          }),
        ]);
      return {
        port,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
  };
}

async function becomesReady(port: number): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`a server was not ready after ${readyWithinMs / 1_000} s`);
}
