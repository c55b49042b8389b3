/** Settings of SMPP. */
import { ownValue } from '#base/values/own-value.ts';
import type { Endpoint, NumberType, SmppOptions } from '#smpp';
import { integer, mapped, oneOf, text } from '../kinds.ts';
import { ConfigError, type Environment, type Kind, read, setting } from '../setting.ts';
import { ownSender } from './own-sender.ts';
import { vendorCodes } from './smpp-vendor-codes.ts';

/** `1:1` is type and plan (SMPP 3.4, sections 5.2.5 and 5.2.6). */
const numberType: Kind<NumberType> = {
  form: '`ton:npi`, such as `5:0`',
  parse(given, name) {
    const [, ton = '', npi = ''] = /^([0-6]):(\d{1,2})$/.exec(given) ?? [];
    if (ton === '' || Number(npi) > 18) {
      throw new ConfigError(`${name}=${given} is not a type of number and a numbering plan, such as 5:0`);
    }
    return { ton: Number(ton), npi: Number(npi) };
  },
};

/** Ports that carriers use unless they say otherwise. */
const usualPorts: Readonly<Record<string, number>> = { 'smpp:': 2775, 'ssmpp:': 3550 };
const endpointRule =
  'must be set: smpp://smsc.example:2775, or ssmpp://smsc.example:3550 with TLS, and nothing else in it';

const endpoint: Kind<Endpoint> = {
  form: '`smpp://host:2775`, or `ssmpp://host:3550` with TLS',
  parse(given, name) {
    const wrong = new ConfigError(`${name} ${endpointRule}`);
    if (!URL.canParse(given)) throw wrong;
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(given);
    const usualPort = ownValue(usualPorts, protocol);
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
  source: setting('SMPP_SOURCE', ownSender, {
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
  receiptIds: setting('SMPP_RECEIPT_IDS', oneOf(['same', 'decimal', 'hex']), {
    default: 'same',
    help: 'How receipts write the ids of messages, in their text and in `receipted_message_id`: `same` as the answers to them; `decimal` where those are hexadecimal; `hex` where those are decimal.',
  }),
  vendorCodes: setting('SMPP_VENDOR_CODES', vendorCodes, {
    default: '',
    help: "What statuses of the carrier's own mean. See [statuses](../gateways/smpp.md#statuses-of-the-carriers-own).",
    example: '0x401=gatewayUnavailable,0x40b=invalidNumber',
  }),
  bind: setting('SMPP_BIND', oneOf(['transceiver', 'separate']), {
    default: 'transceiver',
    help: '`separate`: a transmitter and a receiver in place of one transceiver.',
  }),
  serviceType: setting('SMPP_SERVICE_TYPE', ascii(5), {
    help: 'The `service_type` of messages, where the carrier wants one.',
  }),
  /** Null: what follows from the address. */
  sourceType: setting('SMPP_SOURCE_TYPE', numberType, {
    unset: 'by the sender',
    help: 'Type of number and numbering plan (TON and NPI) of all senders.',
  }),
  destinationType: setting('SMPP_DESTINATION_TYPE', numberType, {
    unset: '`1:1`',
    help: 'The same of all recipients.',
  }),
  alphabet: setting('SMPP_ALPHABET', oneOf(['gsm7', 'latin1']), {
    default: 'gsm7',
    help: 'What the carrier takes `data_coding` 0 for: `gsm7` is GSM 03.38.',
  }),
  userReferences: setting('SMPP_USER_REFERENCE', oneOf(['auto', 'always', 'never']), {
    default: 'auto',
    help: 'Whether messages have a `user_message_reference`, which some carriers give back with receipts. `auto`: where the carrier names SMPP 3.4 or later.',
  }),
  longText: setting('SMPP_LONG_TEXTS', oneOf(['udh', 'sar', 'payload']), {
    default: 'udh',
    help: 'How long texts go: in parts by a user data header (`udh`), in parts by the `sar_` parameters (`sar`), or whole in `message_payload` (`payload`).',
  }),
};

/** As the package of SMPP takes them. */
export interface SmppSettings extends Required<Omit<SmppOptions, 'pauses'>> {
  readonly name: 'smpp';
}

export function readSmpp(env: Environment): SmppSettings {
  const given = read(env, smppSettings);
  const { endpoint, source, window, enquireLinkMs, receiptIds, vendorCodes } = given;
  const { systemId, password, systemType, bind } = given;
  const { serviceType, sourceType, destinationType, alphabet, longText, userReferences } = given;
  return {
    name: 'smpp',
    ...{ endpoint, source, window, enquireLinkMs, receiptIds, vendorCodes },
    credentials: { systemId, password, systemType: systemType ?? '' },
    isSeparate: bind === 'separate',
    form: {
      ...{ serviceType: serviceType ?? '', sourceType, destinationType },
      ...{ alphabet, longText, userReferences },
    },
  };
}
