/** The token that a gateway without signatures carries in the URLs that it calls. */
import { ConfigError, type Environment, optionalSecret, secret } from '../environment.ts';

/** Kannel expands `%` in the URLs that it calls, and others may log what has to be escaped in another form. */
const plainToken = /^[\w-]{16,}$/;

export function callbackToken(env: Environment, name: string): string {
  return plain(secret(env, name), name);
}

/** The same, of a gateway that can sign what it calls with: null when there is none. */
export function optionalCallbackToken(env: Environment, name: string): string | null {
  const token = optionalSecret(env, name);
  return token === null ? null : plain(token, name);
}

function plain(token: string, name: string): string {
  if (!plainToken.test(token)) {
    throw new ConfigError(`${name} must be 16 or more letters, digits, - and _: openssl rand -hex 24`);
  }
  return token;
}
