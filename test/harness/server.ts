/** Real server processes, started as a person starts them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

/** What `serve --json` prints. */
export interface Started {
  /** Null when the process is a worker only. */
  readonly url: string;
  /** Null, as the rest, where there is no demo. */
  readonly partnerId: string;
  readonly appKey: string;
  readonly secret: string;
  readonly workshopId: string;
}

export interface ServerProcess extends Started {
  readonly pid: number;
  readonly isRunning: () => boolean;
  /** Its log, and what else it wrote on standard error. */
  readonly log: () => string;
  /** Sends the signal and resolves to its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  readonly ended: Promise<number | NodeJS.Signals>;
}

const program = fileURLToPath(new URL('../../bin/pitlane.mjs', import.meta.url));

/** Starts a server on a free port and resolves when it is ready. It is killed at the test's end, at the latest. */
export async function startServer(
  t: TestContext,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, 'serve', '--json'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (!Array.isArray(line)) throw new Error(`the server ended with ${line}: ${log}`);
  return {
    ...JSON.parse(line[0]),
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    log: () => log,
    ended,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(child, 'close');
  return code ?? signal;
}
