/** Where one command reads its settings and writes what it has to say: the process's own, or a test's. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Environment } from '#config/setting.ts';

export interface Terminal {
  readonly env: Environment;
  /** Results. */
  readonly stdout: { write(text: string): unknown };
  /** Everything else. */
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
