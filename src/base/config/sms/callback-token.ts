/** The kind of the token that a gateway without signatures carries in the URLs that it calls. */
import { ConfigError, type Kind } from '../setting.ts';

/** Kannel expands `%` in the URLs that it calls, and others may log what has to be escaped in another form. */
const plainToken = /^[\w-]{16,}$/;

export const callbackToken: Kind<string> = {
  form: '16 or more letters, digits, `-` and `_`',
  parse(text, name) {
    if (plainToken.test(text)) return text;
    throw new ConfigError(`${name} must be 16 or more letters, digits, - and _: openssl rand -hex 24`);
  },
};
