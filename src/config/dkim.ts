/** Settings of DKIM, the signature under every e-mail. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { domainOf, type Mailbox } from '#values/mailbox.ts';
import { ConfigError, type Environment, secret } from './environment.ts';

export interface DkimSettings {
  /** In lower case. */
  readonly domain: string;
  readonly selector: string;
  /** RSA; it has signed once. */
  readonly key: KeyObject;
}

const names = ['PITLANE_DKIM_DOMAIN', 'PITLANE_DKIM_SELECTOR', 'PITLANE_DKIM_KEY', 'PITLANE_DKIM_KEY_FILE'];
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainForm = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`, 'i');
const selectorForm = new RegExp(`^(?=.{1,63}$)${label}(?:\\.${label})*$`, 'i');
/** What every mailbox must be able to check (RFC 8301, 3.2); Ed25519 many don't. */
const bits = { atLeast: 1024, atMost: 4096 };
const makeOne = 'make one with: openssl genrsa -out dkim.pem 2048';

/** Null when nothing of it is set. Throws ConfigError, without the key in what is said. */
export function readDkim(env: Environment, from: Mailbox): DkimSettings | null {
  if (names.map((name) => env[name]).every((value) => !value)) return null;
  const domain = named(env, 'PITLANE_DKIM_DOMAIN', domainForm, 'example.com');
  const selector = named(env, 'PITLANE_DKIM_SELECTOR', selectorForm, 'pitlane');
  const sender = domainOf(from);
  if (!isAligned(domain, sender)) {
    throw new ConfigError(
      `PITLANE_DKIM_DOMAIN=${domain} does not fit the sender of PITLANE_MAIL_FROM, ${sender}: mailboxes believe a signature of the sender's own domain only`,
    );
  }
  return { domain, selector, key: privateKey(secret(env, 'PITLANE_DKIM_KEY')) };
}

function named(env: Environment, name: string, form: RegExp, example: string): string {
  const text = (env[name] ?? '').toLowerCase();
  if (text === '') throw new ConfigError(`${name} must be set with the other PITLANE_DKIM_… settings`);
  if (!form.test(text)) throw new ConfigError(`${name} is not of the form of ${example}`);
  return text;
}

/** The same domain, or one below the other: what DMARC calls relaxed alignment, without a list of public suffixes. */
function isAligned(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function privateKey(pem: string): KeyObject {
  const where = 'PITLANE_DKIM_KEY or PITLANE_DKIM_KEY_FILE';
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
