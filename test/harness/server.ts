/** Real server processes, started as a person or a program starts them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { childEnvironment, shortLived } from './child.ts';
import { WaitEnded } from './wait.ts';

/** The output of `serve --json`. */
export interface Started {
  /** Null when the process is a worker only. */
  readonly url: string;
  /** Null, as the rest, where there is no demo. */
  readonly partnerId: string;
  readonly appKey: string;
  readonly secret: string;
  readonly workshopId: string;
}

export interface ServerProcess {
  readonly pid: number;
  readonly isRunning: () => boolean;
  /** Its log, and its other output on standard error. */
  readonly log: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends the signal and resolves to its end. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

type Environment = Readonly<Record<string, string>>;

const program = fileURLToPath(new URL('../../bin/pitlane.mjs', import.meta.url));

/** Starts a server on a free port and resolves when it is ready. It is killed at the test's end, at the latest. */
export async function startServer(t: TestContext, env: Environment): Promise<ServerProcess & Started> {
  const { printed, process: server } = await start(t, ['serve', '--json'], env, /^.*\n/);
  return { ...server, ...JSON.parse(printed) };
}

/** The same without `--json`, with the page that it printed. */
export async function startWithPage(
  t: TestContext,
  env: Environment,
): Promise<ServerProcess & { readonly page: string }> {
  const { printed, process: server } = await start(
    t,
    ['serve'],
    { LOG_FORMAT: 'text', ...env },
    /^[\s\S]*pitlane --help\n/,
  );
  return { ...server, page: printed };
}

/** The same without a page: its log of JSON, to the line that says that it is ready. */
export async function startWithLog(
  t: TestContext,
  env: Environment,
): Promise<ServerProcess & { readonly lines: readonly Readonly<Record<string, unknown>>[] }> {
  const json = { ...env, LOG_FORMAT: 'json', LOG_LEVEL: 'info' };
  const { printed, process: server } = await start(t, ['serve'], json, /^[\s\S]*"Pitlane is ready.*\n/);
  const lines = printed.trimEnd().split('\n');
  return { ...server, lines: lines.map((line) => JSON.parse(line)) };
}

async function start(t: TestContext, args: readonly string[], env: Environment, ready: RegExp) {
  const child = spawn(process.execPath, [...shortLived, program, ...args], {
    env: childEnvironment({ PORT: '0', LOG_LEVEL: 'warn', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let [output, log] = ['', ''];
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const match = ready.exec(output);
      if (match) resolve(match[0]);
    });
    ended.then((end) => reject(new WaitEnded(`the server ended with ${end}: ${output}${log}`)), reject);
  });
  const server: ServerProcess = {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    log: () => log,
    ended,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
  return { printed, process: server };
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(child, 'close');
  return code ?? signal;
}
