/** The kind of the address of a provider's API. */
import { mapped, url } from '../kinds.ts';
import { isLoopback } from '../loopback.ts';
import { ConfigError, type Kind } from '../setting.ts';

/** Without a slash at its end. Each request carries the credentials, so it has TLS, except to this machine. */
export const providerUrl: Kind<string> = {
  ...mapped(url(['https:', 'http:']), (text, name) => {
    const { protocol, hostname, username, password } = new URL(text);
    if (/[?#\s]/.test(text) || username !== '' || password !== '') {
      throw new ConfigError(`${name} must be an address alone, such as https://api.example.com`);
    }
    if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))) {
      throw new ConfigError(`${name} must start with https://: every request carries the credentials`);
    }
    return text.replace(/\/+$/, '');
  }),
  form: '`https://…`',
};
