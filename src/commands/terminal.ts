/** The settings, output streams and output options of one command: those of the process, or of a test. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { WriteStream } from 'node:tty';
import { type EnvFile, noEnvFile } from '#base/config/env-file.ts';
import type { Environment } from '#base/config/setting.ts';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal, in characters. */
  readonly columns?: number;
}

/** The streams that `main` gets. */
export interface Streams {
  /** Takes results. */
  readonly stdout: Output;
  /** Takes everything else. */
  readonly stderr: Output;
  /** The file that some of the settings were read from. */
  readonly envFile?: EnvFile;
}

export interface Terminal extends Required<Streams> {
  readonly env: Environment;
  /** Results, and failures, are JSON. */
  readonly json: boolean;
  /** The zone of `--tz`; null: each time is shown in its own zone. */
  zone: string | null;
  /** Zones in which times have been shown, besides UTC. */
  readonly zonesShown: Set<string>;
}

const storage = new AsyncLocalStorage<Terminal>();

/** The running command's terminal; throws outside of a command. */
export function terminal(): Terminal {
  const current = storage.getStore();
  if (current === undefined) throw new Error('no command is running');
  return current;
}

/** Runs `work` with its own terminal; concurrent commands have one each. */
export function onTerminal<T>(
  its: Streams & Pick<Terminal, 'env' | 'json'>,
  work: () => Promise<T>,
): Promise<T> {
  return storage.run({ envFile: noEnvFile, ...its, zone: null, zonesShown: new Set() }, work);
}

/** True for a terminal with colours, and where FORCE_COLOR says so; false where NO_COLOR is set. */
export function hasColours({ isTTY }: Output, env: Environment): boolean {
  const { FORCE_COLOR, NO_COLOR } = env;
  if (FORCE_COLOR === undefined && (NO_COLOR || !isTTY)) return false;
  return WriteStream.prototype.getColorDepth(definedOf(env)) > 1;
}

const definedOf = (env: Environment) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
