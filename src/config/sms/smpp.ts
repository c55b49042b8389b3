/** Settings of SMPP. */
import { ConfigError, type Environment, integer, oneOf, secret } from '../environment.ts';

/** In which form a carrier writes its ids into the texts of receipts, when that is not the form of its answers. */
export const receiptIdForms = ['same', 'decimal', 'hex'] as const;
export type ReceiptIdForm = (typeof receiptIdForms)[number];

/** What a carrier takes `data_coding` 0 for. */
export const defaultAlphabets = ['gsm7', 'latin1'] as const;
export type DefaultAlphabet = (typeof defaultAlphabets)[number];

/** How a long text goes: in parts by a user data header, in parts by the sar_ parameters, or whole in message_payload. */
export const longTextForms = ['udh', 'sar', 'payload'] as const;
export type LongTextForm = (typeof longTextForms)[number];

/** Type of number and numbering plan. */
interface NumberType {
  readonly ton: number;
  readonly npi: number;
}

export interface SmppSettings {
  readonly name: 'smpp';
  readonly endpoint: { readonly host: string; readonly port: number; readonly tls: boolean };
  readonly credentials: {
    readonly systemId: string;
    readonly password: string;
    readonly systemType: string;
  };
  /** The sender of messages that have none of their own; null leaves it to the carrier. */
  readonly source: string | null;
  readonly window: number;
  readonly enquireLinkMs: number;
  readonly receiptIds: ReceiptIdForm;
  /** A transmitter and a receiver in place of one transceiver. */
  readonly isSeparate: boolean;
  readonly form: {
    readonly serviceType: string;
    /** Null: what follows from the address. */
    readonly sourceType: NumberType | null;
    readonly destinationType: NumberType | null;
    readonly alphabet: DefaultAlphabet;
    readonly longText: LongTextForm;
  };
}

/** Ports that carriers use unless they say otherwise. */
const usualPorts: Readonly<Record<string, number>> = { 'smpp:': 2775, 'ssmpp:': 3550 };

function endpoint(env: Environment): SmppSettings['endpoint'] {
  const text = env['SMPP_URL'] ?? '';
  const wanted =
    'SMPP_URL must be set: smpp://smsc.example:2775, or ssmpp://smsc.example:3550 with TLS, and nothing else in it';
  if (!URL.canParse(text)) throw new ConfigError(wanted);
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usualPort = usualPorts[protocol];
  const rest = `${username}${password}${pathname.replace(/^\/$/, '')}${search}${hash}`;
  if (usualPort === undefined || hostname === '' || rest !== '') throw new ConfigError(wanted);
  return {
    // An IPv6 address stands in brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usualPort : Number(port),
    tls: protocol === 'ssmpp:',
  };
}

/** The value is in no message: it may be a secret. */
function field(name: string, value: string, atMost: number): string {
  if (!/^[\x20-\x7e]*$/.test(value) || value.length > atMost) {
    throw new ConfigError(`${name} must be at most ${atMost} letters, digits and signs of ASCII`);
  }
  return value;
}

function source(env: Environment): string | null {
  const text = env['SMPP_SOURCE'];
  if (text === undefined || text === '') return null;
  if (!/^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(text)) {
    throw new ConfigError(
      `SMPP_SOURCE=${text} is neither a number such as +61400000000, a short code, nor a name of 1 to 11 letters and digits`,
    );
  }
  return text;
}

/** `1:1` is type and plan (SMPP 3.4, sections 5.2.5 and 5.2.6). */
function numberType(env: Environment, name: string): NumberType | null {
  const text = env[name] ?? '';
  if (text === '') return null;
  const [, ton = '', npi = ''] = /^([0-6]):(\d{1,2})$/.exec(text) ?? [];
  if (ton === '' || Number(npi) > 18) {
    throw new ConfigError(`${name}=${text} is not a type of number and a numbering plan, such as 5:0`);
  }
  return { ton: Number(ton), npi: Number(npi) };
}

export function readSmpp(env: Environment): SmppSettings {
  const systemId = env['SMPP_SYSTEM_ID'];
  if (!systemId) throw new ConfigError('SMPP_SYSTEM_ID must be set');
  return {
    name: 'smpp',
    endpoint: endpoint(env),
    credentials: {
      systemId: field('SMPP_SYSTEM_ID', systemId, 15),
      // SMPP allows 8; carriers give longer ones.
      password: field('SMPP_PASSWORD', secret(env, 'SMPP_PASSWORD'), 64),
      systemType: field('SMPP_SYSTEM_TYPE', env['SMPP_SYSTEM_TYPE'] ?? '', 12),
    },
    source: source(env),
    window: integer(env, 'SMPP_WINDOW', 10, 1, 1_000),
    enquireLinkMs: integer(env, 'SMPP_ENQUIRE_LINK', 30, 5, 600) * 1_000,
    receiptIds: oneOf(env, 'SMPP_RECEIPT_IDS', 'same', receiptIdForms),
    isSeparate: oneOf(env, 'SMPP_BIND', 'transceiver', ['transceiver', 'separate']) === 'separate',
    form: {
      serviceType: field('SMPP_SERVICE_TYPE', env['SMPP_SERVICE_TYPE'] ?? '', 5),
      sourceType: numberType(env, 'SMPP_SOURCE_TYPE'),
      destinationType: numberType(env, 'SMPP_DESTINATION_TYPE'),
      alphabet: oneOf(env, 'SMPP_ALPHABET', 'gsm7', defaultAlphabets),
      longText: oneOf(env, 'SMPP_LONG_TEXTS', 'udh', longTextForms),
    },
  };
}
