/** The settings and output streams of one command: those of the process, or of a test. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Environment } from '#config/setting.ts';

export interface Terminal {
  readonly env: Environment;
  /** Takes results. */
  readonly stdout: { write(text: string): unknown };
  /** Takes everything else. */
  readonly stderr: { write(text: string): unknown };
}

const storage = new AsyncLocalStorage<Terminal>();

/** Of the command that runs; throws outside of one. */
export function terminal(): Terminal {
  const current = storage.getStore();
  if (current === undefined) throw new Error('no command is running');
  return current;
}

/** Runs `work` with this terminal; commands that run at the same time have one each. */
export function onTerminal<T>(its: Terminal, work: () => Promise<T>): Promise<T> {
  return storage.run(its, work);
}
