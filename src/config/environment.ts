/** Reading one environment variable: its form, and what is said when it is wrong. */
import { readFileSync } from 'node:fs';

/** A setting that can't be used; its message names the variable, what is wrong and what would be right. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A whole number within limits. */
export function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name}=${text} is not a whole number from ${min} to ${max}`);
  }
  return value;
}

/** One of the words that are allowed. */
export function oneOf<const T extends string>(
  env: Environment,
  name: string,
  fallback: T,
  allowed: readonly T[],
): T {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw new ConfigError(`${name}=${text} is not one of: ${allowed.join(', ')}`);
  return found;
}

/** A URL with one of these protocols, as it was written; null when it is not set. */
export function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const text = env[name];
  if (text === undefined || text === '') return null;
  const wanted = `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`;
  // The value may hold a password, so the message never repeats it.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) throw new ConfigError(wanted);
  return text;
}

/**
 * A secret, from the variable or from the file that the variable with `_FILE` names. Throws when there is none; the value
 * is in no message.
 */
export function secret(env: Environment, name: string): string {
  const value = optionalSecret(env, name);
  if (value === null) throw new ConfigError(`${name} or ${name}_FILE must be set`);
  return value;
}

/** The same, of what may be absent: null. */
export function optionalSecret(env: Environment, name: string): string | null {
  const [text, path] = [env[name] || null, env[`${name}_FILE`] || null];
  if (text !== null && path !== null)
    throw new ConfigError(`${name} and ${name}_FILE are both set: keep one`);
  return path === null ? text : contentOf(path, `${name}_FILE`);
}

function contentOf(path: string, name: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name} can't be read (${code}): check the path and its rights`);
  }
  // An editor ends the last line; the secret does not.
  const value = content.replace(/\r?\n$/, '');
  if (value === '') throw new ConfigError(`${name} is empty`);
  return value;
}
