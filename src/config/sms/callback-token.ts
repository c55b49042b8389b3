/** The token that a gateway without signatures carries in the URLs that it calls. */
import { ConfigError, type Environment, secret } from '../environment.ts';

/** Kannel expands `%` in the URLs that it calls, and others may log what has to be escaped in another form. */
const plainToken = /^[\w-]{16,}$/;

export function callbackToken(env: Environment, name: string): string {
  const token = secret(env, name);
  if (!plainToken.test(token)) {
    throw new ConfigError(`${name} must be 16 or more letters, digits, - and _: openssl rand -hex 24`);
  }
  return token;
}
