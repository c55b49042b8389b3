/** Runs test files in a process of `group.ts`. */
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type FileResult, follow } from './results.ts';

const group = fileURLToPath(new URL('group.ts', import.meta.url));
const uncaught = new URL('uncaught.ts', import.meta.url).href;

/** Of one test; the slowest wait for another process to take over, up to a minute. */
const testTimeoutMs = 120_000;

/**
 * V8's young generation, in MiB: with the usual 16, which it starts far below, a test process takes 5 to 9 % more CPU, to collect garbage
 * more often. Threads that collect it beside the tests make a process sooner ready, and cost more than they save where processes have a core each.
 */
const memoryFlags = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--single-threaded-gc'];

export interface Execution {
  readonly files: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Also runs the tests of each file in another order, which this number decides. */
  readonly orderSeed?: number;
  /** Called for each file when it is done, also for files that the process did not reach. */
  done(result: FileResult): void;
  /** The output of the tests. */
  show(text: string): void;
}

/** Resolves when everything is reported; never rejects because of a test. */
export async function execute({ files, env, signal, orderSeed, done, show }: Execution): Promise<void> {
  const follower = follow(files);
  const events = run({
    files: [group],
    argv: files,
    execArgv: [`--import=${uncaught}`, `--test-timeout=${testTimeoutMs}`, ...memoryFlags],
    env,
    signal,
    ...(orderSeed !== undefined && { randomize: true, randomSeed: orderSeed }),
  });
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') show(event.data.message);
    const result = follower.take(event);
    if (result !== null) done(result);
  }
  for (const result of follower.rest()) done(result);
}
