/** Child processes of `npm test`: none outlives it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  /** Lets the output through instead of keeping it. */
  readonly show?: boolean;
}

export interface RunResult {
  readonly code: number;
  /** Both streams, when they were kept. */
  readonly output: string;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<RunResult>;

const running = new Set<ChildProcess>();

/** Runs a command to its end; a command that can't be started has code 127. Never rejects. */
export const run: Run = async (command, args, options = {}) => {
  const stdio = options.show ? 'inherit' : 'pipe';
  const child = spawn(command, args, {
    env: options.env ?? process.env,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdio: ['ignore', stdio, stdio],
    ...(options.signal && { signal: options.signal }),
  });
  running.add(child);
  const kept = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')));
  const ended = await new Promise<{ code: number; error?: Error }>((resolve) => {
    child.on('error', (error) => resolve({ code: 127, error }));
    child.on('close', (code) => resolve({ code: code ?? 1 }));
  });
  running.delete(child);
  const [out = '', errors = ''] = await kept;
  return { code: ended.code, output: `${out}${errors}${ended.error?.message ?? ''}` };
};

/** Ends what still runs. */
export function endAll(): void {
  for (const child of running) child.kill('SIGTERM');
}
