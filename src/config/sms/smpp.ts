/** Settings of SMPP. */
import { integer, mapped, oneOf, text } from '../kinds.ts';
import { ConfigError, type Environment, type Kind, read, setting, type Values } from '../setting.ts';

/** In which form a carrier writes its ids into the texts of receipts, when that is not the form of its answers. */
export const receiptIdForms = ['same', 'decimal', 'hex'] as const;
export type ReceiptIdForm = (typeof receiptIdForms)[number];

/** Ports that carriers use unless they say otherwise. */
const usualPorts: Readonly<Record<string, number>> = { 'smpp:': 2775, 'ssmpp:': 3550 };
const endpointRule =
  'must be set: smpp://smsc.example:2775, or ssmpp://smsc.example:3550 with TLS, and nothing else in it';

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const endpoint: Kind<Endpoint> = {
  form: '`smpp://host:2775`, or `ssmpp://host:3550` with TLS',
  parse(given, name) {
    const wrong = new ConfigError(`${name} ${endpointRule}`);
    if (!URL.canParse(given)) throw wrong;
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(given);
    const usualPort = usualPorts[protocol];
    const rest = `${username}${password}${pathname.replace(/^\/$/, '')}${search}${hash}`;
    if (usualPort === undefined || hostname === '' || rest !== '') throw wrong;
    return {
      // An IPv6 address stands in brackets.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? usualPort : Number(port),
      tls: protocol === 'ssmpp:',
    };
  },
};

/** The text is in no fault: it may be a secret. */
function ascii(atMost: number): Kind<string> {
  return mapped(text(`${atMost} characters of ASCII at most`), (given, name) => {
    if (/^[\x20-\x7e]*$/.test(given) && given.length <= atMost) return given;
    throw new ConfigError(`${name} must be at most ${atMost} letters, digits and signs of ASCII`);
  });
}

const source: Kind<string> = {
  form: '`+61400000000`, a short code, or a name of 1 to 11 letters and digits',
  parse(given, name) {
    if (/^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(given)) return given;
    throw new ConfigError(
      `${name}=${given} is neither a number such as +61400000000, a short code, nor a name of 1 to 11 letters and digits`,
    );
  },
};

export const smppSettings = {
  endpoint: setting('SMPP_URL', endpoint, {
    required: endpointRule,
    help: "The carrier's SMS centre.",
    example: 'smpp://smsc.example:2775',
  }),
  systemId: setting('SMPP_SYSTEM_ID', ascii(15), { required: 'must be set', help: 'The account there.' }),
  // SMPP allows 8 characters; carriers give longer ones.
  password: setting('SMPP_PASSWORD', ascii(64), {
    required: 'must be set',
    secret: true,
    help: 'Its password.',
  }),
  systemType: setting('SMPP_SYSTEM_TYPE', ascii(12), { help: 'Where the carrier wants one.' }),
  /** Null leaves it to the carrier. */
  source: setting('SMPP_SOURCE', source, {
    unset: "the carrier's",
    help: 'Sender of messages that have none of their own.',
  }),
  window: setting('SMPP_WINDOW', integer({ from: 1, to: 1_000, unit: 'parts' }), {
    default: '10',
    help: 'How many parts of messages one process leaves without an answer at once: what the carrier allows.',
  }),
  enquireLinkMs: setting(
    'SMPP_ENQUIRE_LINK',
    mapped(integer({ from: 5, to: 600, unit: 'seconds' }), (seconds) => seconds * 1_000),
    { default: '30', help: 'Silence after which the carrier is asked whether it lives.' },
  ),
  receiptIds: setting('SMPP_RECEIPT_IDS', oneOf(receiptIdForms), {
    default: 'same',
    help: 'How receipts write the ids of messages: `same` as the answers to them; `decimal` where those are hexadecimal; `hex` where those are decimal.',
  }),
};

type Given = Values<typeof smppSettings>;

export interface SmppSettings extends Omit<Given, 'systemId' | 'password' | 'systemType'> {
  readonly name: 'smpp';
  readonly credentials: {
    readonly systemId: string;
    readonly password: string;
    readonly systemType: string;
  };
}

export function readSmpp(env: Environment): SmppSettings {
  const { systemId, password, systemType, ...rest } = read(env, smppSettings);
  return { name: 'smpp', ...rest, credentials: { systemId, password, systemType: systemType ?? '' } };
}
