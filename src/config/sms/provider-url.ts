/** Where a provider's API is. */
import { ConfigError, type Environment, url } from '../environment.ts';
import { isLoopback } from '../loopback.ts';

/** Without a slash at its end. Each request carries the credentials, so it has TLS, except to this machine. */
export function providerUrl(env: Environment, name: string, usual: string): string {
  const text = url(env, name, ['https:', 'http:']) ?? usual;
  const { protocol, hostname, username, password } = new URL(text);
  if (/[?#\s]/.test(text) || username !== '' || password !== '') {
    throw new ConfigError(`${name} must be an address alone, such as ${usual}`);
  }
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw new ConfigError(`${name} must start with https://: every request carries the credentials`);
  }
  return text.replace(/\/+$/, '');
}
