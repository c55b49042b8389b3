/** One program of the cluster, with its log in a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Of the user it runs as; empty for this process's own. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Both of its streams are appended to it. */
  readonly log: string;
  /** Whether it does its work, by what it has logged since this start or by asking it. */
  readonly ready: (logged: string) => boolean | Promise<boolean>;
}

export interface Member {
  readonly name: string;
  pid(): number;
  /** How often it ended by itself. */
  readonly crashes: () => number;
  /** Starts it and waits until it is ready. Throws with the end of its log when it is not within a minute. */
  start(): Promise<void>;
  /** Sends the signal and waits for its end, at most 40 s; then it is killed. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const readyWithinMs = 60_000;
const endsWithinMs = 40_000;

export function memberOf(program: Program): Member {
  const { name, command, args, env, ids, log } = program;
  let child: ChildProcess | undefined;
  let crashes = 0;
  let expected = false;

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: () => child?.pid ?? 0,
    crashes: () => crashes,
    async start() {
      const output = openSync(log, 'a', 0o600);
      const { size } = fstatSync(output);
      const logged = () => readFileSync(log).subarray(size).toString('utf8');
      // In a session of its own: Ctrl-C reaches this process alone, which ends the others in order.
      const started = spawn(command, args, {
        ...ids,
        env: { ...env },
        cwd: '/',
        stdio: ['ignore', output, output],
        detached: true,
      });
      closeSync(output);
      expected = false;
      started.on('error', () => undefined);
      started.on('exit', () => {
        if (!expected) crashes++;
      });
      child = started;
      const deadline = AbortSignal.timeout(readyWithinMs);
      while (!(await program.ready(logged()))) {
        if (deadline.aborted || !isRunning()) {
          const end = logged().trim().split('\n').slice(-8).join('\n');
          throw new Error(`${name} ${deadline.aborted ? 'is not ready in a minute' : 'ended'}:\n${end}`);
        }
        await pause(50);
      }
    },
    async stop(signal = 'SIGTERM') {
      if (child === undefined || !isRunning()) return;
      expected = true;
      const ended = once(child, 'exit');
      child.kill(signal);
      const last = child;
      const tooLong = setTimeout(() => last.kill('SIGKILL'), endsWithinMs);
      await ended;
      clearTimeout(tooLong);
    },
  };
}
