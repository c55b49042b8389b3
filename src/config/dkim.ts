/** Settings of DKIM, the signature under every e-mail. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { domainOf, type Mailbox } from '#values/mailbox.ts';
import { ConfigError, type Environment, secret } from './environment.ts';

export interface DkimSettings {
  /** In lower case. */
  readonly domain: string;
  readonly selector: string;
  /** RSA or Ed25519. */
  readonly key: KeyObject;
}

const names = ['PITLANE_DKIM_DOMAIN', 'PITLANE_DKIM_SELECTOR', 'PITLANE_DKIM_KEY', 'PITLANE_DKIM_KEY_FILE'];
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainForm = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`, 'i');
const selectorForm = new RegExp(`^(?=.{1,63}$)${label}(?:\\.${label})*$`, 'i');
/** RFC 8301, 3.2: shorter keys are not believed. */
const rsaBitsAtLeast = 1024;

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
  let key: KeyObject;
  try {
    // In one line of an environment file, line breaks are written as \n.
    key = createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    throw new ConfigError(
      'PITLANE_DKIM_KEY or PITLANE_DKIM_KEY_FILE holds no private key in PEM form without a passphrase: openssl genrsa 2048',
    );
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ed25519' || (type === 'rsa' && (details?.modulusLength ?? 0) >= rsaBitsAtLeast)) return key;
  throw new ConfigError(
    `PITLANE_DKIM_KEY or PITLANE_DKIM_KEY_FILE holds a key that DKIM does not take (${type} ${details?.modulusLength ?? ''}): openssl genrsa 2048`,
  );
}
