/** The file of settings: where it is, what it sets, and which of its lines set nothing. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './setting.ts';

/** The default file, which may be absent. */
const usualName = '.env';

export interface EnvFile {
  /** Absolute; null when there is none. */
  readonly path: string | null;
  readonly settings: Environment;
  /** Why the file can't be used; null when it can be used or is absent. */
  readonly fault: string | null;
  /** The numbers, from 1, of its lines that are no setting, no comment and not empty. */
  readonly strayLines: readonly number[];
  /** Settings that are empty in the environment and set in the file: the file's value counts. */
  readonly emptyVariables: readonly string[];
}

export const noEnvFile: EnvFile = {
  path: null,
  settings: {},
  fault: null,
  strayLines: [],
  emptyVariables: [],
};

/** Reads the named file, or `.env` of the current folder. Never throws: a problem is reported as `fault`. */
export function readEnvFile(named: string | undefined): EnvFile {
  const name = named || usualName;
  const unusable = (fault: string): EnvFile => ({ ...noEnvFile, path: resolve(name), fault });
  let content: Buffer;
  try {
    content = readFileSync(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return !named && code === 'ENOENT' ? noEnvFile : unusable(`${name} can't be read (${code})`);
  }
  // Some shells write UTF-16 (`echo … > .env`): every setting in it would be overlooked.
  if (!isUtf8(content) || content.includes(0)) return unusable(`${name} is not in UTF-8`);
  const text = content.toString();
  return { ...noEnvFile, path: resolve(name), settings: parseEnv(text), strayLines: strayLinesOf(text) };
}

/**
 * The environment over the file's settings. An empty variable counts as not set, as it does without a file: compose files and units make
 * such ones of what is not set outside. Only for `names`: other programs give empty ones a meaning, `SENDER` of a bounce for instance.
 */
export function mergeEnvironment(
  file: EnvFile,
  environment: Environment,
  names: readonly string[],
): { readonly env: Environment; readonly envFile: EnvFile } {
  const emptyVariables = names.filter((name) => environment[name] === '' && file.settings[name]);
  const held = emptyVariables.map((name) => [name, file.settings[name]]);
  return {
    env: { ...file.settings, ...environment, ...Object.fromEntries(held) },
    envFile: { ...file, emptyVariables },
  };
}

/** A name, `=`, and a value, which may have quotes around it and then several lines. */
const assignment = /^[ \t]*(?:export[ \t]+)?[^\s=#][^\n=]*=[ \t]*(?:(["'`])[\s\S]*?\1)?[^\n]*$/gm;

/** Their texts are not kept: a line may be the rest of a secret. */
function strayLinesOf(text: string): number[] {
  const left = text.replace(assignment, (found) => found.replace(/[^\n]/g, ''));
  return left.split('\n').flatMap((line, index) => (/^\s*[^\s#]/.test(line) ? [index + 1] : []));
}
