/** Settings of DKIM, the signature under every e-mail. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { domainOf, type Mailbox } from '#base/values/mailbox.ts';
import { ConfigError, type Environment, type Kind, namesOf, read, setting, type Values } from './setting.ts';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainForm = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`, 'i');
const selectorForm = new RegExp(`^(?=.{1,63}$)${label}(?:\\.${label})*$`, 'i');
/** Every mailbox must be able to check RSA (RFC 8301, 3.2); many can't check Ed25519. */
const bits = { atLeast: 1024, atMost: 4096 };
const makeOne = 'make one with: openssl genrsa -out dkim.pem 2048';

const withTheOthers = 'must be set with the other PITLANE_DKIM_… settings';

/** In lower case. */
function dnsName(pattern: RegExp, form: string, example: string): Kind<string> {
  return {
    form,
    parse(text, name) {
      if (pattern.test(text)) return text.toLowerCase();
      throw new ConfigError(`${name} is not of the form of ${example}`);
    },
  };
}

const privateKey: Kind<KeyObject> = {
  form: `PEM, RSA of ${bits.atLeast.toLocaleString('en')} to ${bits.atMost.toLocaleString('en')} bits`,
  parse: keyOf,
};

export const dkimSettings = {
  domain: setting('PITLANE_DKIM_DOMAIN', dnsName(domainForm, 'a domain', 'example.com'), {
    required: withTheOthers,
    help: 'The domain that signs: that of `PITLANE_MAIL_FROM`, or one above or below it.',
    example: 'example.com',
  }),
  selector: setting('PITLANE_DKIM_SELECTOR', dnsName(selectorForm, 'a name', 'pitlane'), {
    required: withTheOthers,
    help: 'A name for the key. `npx pitlane email dkim-record` says what to publish.',
    example: 'pitlane',
  }),
  /** RSA; it has signed once. */
  key: setting('PITLANE_DKIM_KEY', privateKey, {
    required: withTheOthers,
    secret: true,
    help: 'The private key, with `\\n` for its line breaks; 2,048 bits are good (`openssl genrsa 2048`).',
  }),
};

/** In lower case. */
export type DkimSettings = Values<typeof dkimSettings>;

/**
 * Null when no DKIM setting is set. Throws ConfigError, whose text does not have the key. An unreadable sender (null) passes this
 * check.
 */
export function readDkim(env: Environment, from: Mailbox | null): DkimSettings | null {
  const names = Object.values(dkimSettings).flatMap(namesOf);
  if (names.every((name) => !env[name])) return null;
  const settings = read(env, dkimSettings);
  if (from === null) return settings;
  const [domain, sender] = [settings.domain, domainOf(from)];
  if (isAligned(domain, sender)) return settings;
  throw new ConfigError(
    `PITLANE_DKIM_DOMAIN=${domain} does not fit the sender of PITLANE_MAIL_FROM, ${sender}: mailboxes believe a signature of the sender's own domain only`,
  );
}

/** The same domain, or one below the other: what DMARC calls relaxed alignment, without a list of public suffixes. */
function isAligned(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function keyOf(pem: string, name: string): KeyObject {
  const where = `${name} or ${name}_FILE`;
  let key: KeyObject;
  try {
    // In one line of an environment file, line breaks are written as \n.
    key = createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    throw new ConfigError(`${where} holds no private key in PEM form without a passphrase; ${makeOne}`);
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const length = details?.modulusLength ?? 0;
  if (type !== 'rsa' || length < bits.atLeast || length > bits.atMost) {
    const held = type === 'rsa' ? `RSA of ${length} bits` : type;
    throw new ConfigError(
      `${where} must be an RSA key of ${bits.atLeast} to ${bits.atMost} bits, and is ${held}; ${makeOne}`,
    );
  }
  if (!signs(key)) throw new ConfigError(`${where} holds a damaged key, which does not sign; ${makeOne}`);
  return key;
}

/** A key can be read and yet be damaged. */
function signs(key: KeyObject): boolean {
  const data = Buffer.from('pitlane');
  try {
    return verify('sha256', data, createPublicKey(key), sign('sha256', data, key));
  } catch {
    return false;
  }
}
