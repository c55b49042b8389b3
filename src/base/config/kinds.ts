/** The kinds of settings: their valid values, and the faults of others. */
import { ConfigError, type Kind } from './setting.ts';

/** Any text. */
export function text(form = 'text'): Kind<string> {
  return { form, parse: (given) => given };
}

export interface Range {
  readonly from: number;
  readonly to: number;
  /** The unit, in the plural. */
  readonly unit?: string;
}

/** A whole number within limits. */
export function integer({ from, to, unit }: Range): Kind<number> {
  const range = `${from.toLocaleString('en')} to ${to.toLocaleString('en')}`;
  return {
    form: unit === undefined ? range : `${range} ${unit}`,
    parse(given, name) {
      const value = Number(given);
      if (!/^\d+$/.test(given) || value < from || value > to) {
        throw new ConfigError(`${name}=${given} is not a whole number from ${from} to ${to}`);
      }
      return value;
    },
  };
}

/** One of some words. */
export function oneOf<const T extends string>(words: readonly T[]): Kind<T> {
  return {
    form: words.map((word) => `\`${word}\``).join(', '),
    parse(given, name) {
      const found = words.find((word) => word === given);
      if (found === undefined) throw new ConfigError(`${name}=${given} is not one of: ${words.join(', ')}`);
      return found;
    },
  };
}

/** True for one word, false for another. */
export function either(yes: string, no: string): Kind<boolean> {
  const { form, parse } = oneOf([yes, no]);
  return { form, parse: (given, name) => parse(given, name) === yes };
}

/**
 * True for a URL whose user or password has a character in it that ends them, so that it names another host than was meant, or none:
 * `postgres://user:pass/word@host/name`. What follows a port may have an `@` in its query.
 */
function breaksOff(given: string): boolean {
  const [, authority = '', after = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(given.trim()) ?? [];
  if (authority.includes('@') || !/^[^:[]+:/.test(authority) || !after.includes('@')) return false;
  const isPort = /:\d*$/.test(authority);
  return !(isPort && /^[^@?]*\?[^@]*=/.test(after));
}

/** A URL with one of these protocols, as it was written. It may hold a password, so faults never repeat it. */
export function url(protocols: readonly string[]): Kind<string> {
  const starts = protocols.map((protocol) => `${protocol}//`);
  return {
    form: starts.map((start) => `\`${start}…\``).join(', '),
    parse(given, name) {
      if (breaksOff(given)) {
        throw new ConfigError(
          `${name} has a user or password with a /, ? or # in it, which ends it there: write them as %2F, %3F and %23, a space as %20, an @ as %40 and a % as %25`,
        );
      }
      if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol)) {
        throw new ConfigError(`${name} must be a URL that starts with ${starts.join(' or ')}`);
      }
      return given;
    },
  };
}

/** Entries with commas between them, without empty ones. */
export function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A kind whose value is computed from another kind's value. */
export function mapped<A, B>({ form, parse }: Kind<A>, map: (value: A, name: string) => B): Kind<B> {
  return { form, parse: (given, name) => map(parse(given, name), name) };
}
