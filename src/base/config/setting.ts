/** The type of a setting, and reading settings from the environment: all faults are reported together. */
import { readFileSync } from 'node:fs';

/** Settings that can't be used. Each fault names the variable, what is wrong and what would be right. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a text is read. A setting that may hold a secret has a kind whose faults never repeat the text. */
export interface Kind<T> {
  /** The valid values in a few words of Markdown, with the unit. */
  readonly form: string;
  /** Throws ConfigError. */
  readonly parse: (text: string, name: string) => T;
}

interface Options {
  /** The meaning of the setting, as Markdown of docs/operations/settings.md; `.env.example` has it as plain text. */
  readonly help: string;
  /** The text that an absent setting stands for. */
  readonly default?: string;
  /** An absent setting is a fault, and this says so: `must be set`. */
  readonly required?: string;
  /** The effect of an absent setting without a default, when that is not `none`. */
  readonly unset?: string;
  /** The value that `.env.example` shows in place of the default. */
  readonly example?: string;
  /** Its name in earlier releases, which is still read, with a warning. */
  readonly formerly?: string;
  /** The text may stand in a file, which the variable with `_FILE` names. */
  readonly secret?: true;
}

export interface Setting<T> extends Options {
  /** The name of the environment variable. */
  readonly name: string;
  readonly kind: Kind<T>;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The values of settings, under the same keys; null: absent. */
export type Values<S extends Settings> = {
  readonly [Key in keyof S]: S[Key] extends Setting<infer T>
    ? S[Key] extends { readonly default: string } | { readonly required: string }
      ? T
      : T | null
    : never;
};

export function setting<T, const O extends Options>(name: string, kind: Kind<T>, options: O) {
  return { name, kind, ...options };
}

/** Throws ConfigError with the faults of all of them. */
export function read<S extends Settings>(env: Environment, settings: S): Values<S> {
  const readers = Object.entries(settings).map(([key, each]) => [key, () => valueIn(env, each)]);
  return together(Object.fromEntries(readers));
}

/** The results of all readers, under the same keys; throws one ConfigError with the faults of all of them. */
export function together<R extends object>(readers: { readonly [Key in keyof R]: () => R[Key] }): R {
  const results: Partial<R> = {};
  const faults: string[] = [];
  for (const key of Object.keys(readers) as (keyof R)[]) {
    try {
      results[key] = readers[key]();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new ConfigError(...faults);
  return results as R;
}

type Named = Pick<Setting<unknown>, 'name' | 'secret' | 'formerly'>;

/** The names under which a setting stands in the environment. */
export function namesOf({ name, secret }: Named): string[] {
  return secret ? [name, `${name}_FILE`] : [name];
}

/** The same, with the one of earlier releases. */
export function namesReadOf(setting: Named): string[] {
  return [...namesOf(setting), ...(setting.formerly === undefined ? [] : [setting.formerly])];
}

/** The fault of a missing required setting. */
export function missing(setting: Named, how = 'must be set'): ConfigError {
  return new ConfigError(`${namesOf(setting).join(' or ')} ${how}`);
}

function valueIn<T>(env: Environment, setting: Setting<T>): T | null {
  const former = formerText(env, setting);
  const text = former ?? textOf(env, setting) ?? setting.default;
  const name = (former !== undefined && setting.formerly) || setting.name;
  if (text !== undefined) return setting.kind.parse(text, name);
  if (setting.required === undefined) return null;
  throw missing(setting, setting.required);
}

/** Returns the value under the former name of a setting; undefined where it has none, or its present name is set. */
export function formerText(env: Environment, { name, formerly }: Named): string | undefined {
  return formerly === undefined || env[name] ? undefined : env[formerly] || undefined;
}

/** An empty value counts as absent. */
function textOf(env: Environment, { name, secret }: Setting<unknown>): string | undefined {
  const text = env[name] || undefined;
  const path = secret ? env[`${name}_FILE`] || undefined : undefined;
  if (path === undefined) return text;
  if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: keep one`);
  return contentOf(path, `${name}_FILE`);
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
