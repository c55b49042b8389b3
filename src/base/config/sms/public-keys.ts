/** The kind of public keys that somebody signs with. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError, type Kind } from '../setting.ts';

/** From PEM, or from the base64 between its lines, as APIs give it; several one after another, or with commas between. */
export const rsaPublicKeys: Kind<readonly KeyObject[]> = {
  form: 'PEM, or its base64; two with a comma between, while they change',
  parse(text, name) {
    const parts = text
      .split(/-----[A-Z ]+-----|,/)
      // In an environment variable the lines often end in a backslash and an n.
      .map((part) => part.replace(/\s|\\n/g, ''))
      .filter((part) => part !== '');
    const keys = parts.map(keyOf);
    const found = keys.filter((key) => key !== null);
    if (found.length > 0 && found.length === keys.length) return found;
    throw new ConfigError(`${name} must be an RSA public key: PEM, or the base64 of its public_key`);
  },
};

function keyOf(base64: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
}
