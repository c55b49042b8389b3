/** The bodies of binds, submit_sm, deliver_sm and data_sm (SMPP 3.4, sections 4.1, 4.4.1, 4.6.1 and 4.7.1). */
import type { Address } from './address.ts';
import { cString, type FieldReader, fieldReader } from './fields.ts';
import { command, MalformedPdu, type Pdu } from './pdu.ts';

export interface Credentials {
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
}

const version34 = 0x34;

export function bindBody({ systemId, password, systemType }: Credentials): Buffer {
  return Buffer.concat([
    ...[systemId, password, systemType].map(cString),
    Buffer.from([version34, 0, 0]),
    cString(''),
  ]);
}

/** The version of SMPP that the response to a bind names, such as 0x34; null when it names none. Never throws. */
export function versionIn(body: Buffer): number | null {
  try {
    const fields = fieldReader(body);
    fields.cString();
    return fields.parameters().get(parameter.interfaceVersion)?.[0] ?? null;
  } catch {
    return null;
  }
}

export interface Submission {
  readonly serviceType: string;
  readonly from: Address;
  readonly to: Address;
  readonly coding: number;
  /** True when the octets begin with a user data header. */
  readonly withHeader: boolean;
  readonly octets: Buffer;
  /** By tag. */
  readonly parameters: readonly (readonly [tag: number, value: Buffer])[];
  /** How long the carrier may try, in milliseconds. */
  readonly validForMs: number;
}

const minuteMs = 60_000;
const atMostMs = 63 * 24 * 60 * minuteMs;

/** The relative form of section 7.1.1.2, in minutes: one at least, 63 days at most, as networks have it. */
export function validityPeriod(validForMs: number): string {
  const minutes = Math.ceil(Math.min(Math.max(validForMs, minuteMs), atMostMs) / minuteMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(minutes / 1_440);
  const [months, rest] = [Math.floor(days / 30), days % 30];
  return `00${two(months)}${two(rest)}${two(Math.floor(minutes / 60) % 24)}${two(minutes % 60)}00000R`;
}

const userDataHeader = 0x40;
const receiptOfEveryOutcome = 1;

const addressFields = ({ ton, npi, text }: Address) =>
  Buffer.concat([Buffer.from([ton, npi]), cString(text)]);

function parameterOctets(tag: number, value: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(tag, 0);
  header.writeUInt16BE(value.length, 2);
  return Buffer.concat([header, value]);
}

export function submitBody(submission: Submission): Buffer {
  const { serviceType, from, to, coding, withHeader, octets, parameters, validForMs } = submission;
  const esmClass = withHeader ? userDataHeader : 0;
  return Buffer.concat([
    cString(serviceType),
    addressFields(from),
    addressFields(to),
    Buffer.from([esmClass, 0, 0]),
    cString(''),
    cString(validityPeriod(validForMs)),
    Buffer.from([receiptOfEveryOutcome, 0, coding, 0, octets.length]),
    octets,
    ...parameters.map(([tag, value]) => parameterOctets(tag, value)),
  ]);
}

export interface Delivery {
  readonly from: Address;
  readonly to: Address;
  readonly esmClass: number;
  readonly coding: number;
  /** The text without one in message_payload. */
  readonly octets: Buffer;
  readonly parameters: ReadonlyMap<number, Buffer>;
}

/** Tags of parameters (section 5.3.2). */
export const parameter = {
  receiptedMessageId: 0x001e,
  userMessageReference: 0x0204,
  seriesReference: 0x020c,
  seriesTotal: 0x020e,
  seriesNumber: 0x020f,
  interfaceVersion: 0x0210,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

export const hasUserDataHeader = ({ esmClass }: Delivery) => (esmClass & userDataHeader) !== 0;

/** The standard allows 20; not all carriers keep to it. */
const addressAtMost = 64;

function readAddress(fields: FieldReader): Address {
  const address = { ton: fields.octet(), npi: fields.octet(), text: fields.cString() };
  if (address.text.length > addressAtMost) throw new MalformedPdu('an address that is too long');
  return address;
}

/** Throws MalformedPdu. A data_sm has its text in message_payload alone. */
export function readDelivery({ command: kind, body }: Pick<Pdu, 'command' | 'body'>): Delivery {
  const fields = fieldReader(body);
  fields.cString();
  const from = readAddress(fields);
  const to = readAddress(fields);
  if (kind === command.data) {
    const [esmClass = 0, , coding = 0] = fields.octets(3);
    return { from, to, esmClass, coding, octets: Buffer.alloc(0), parameters: fields.parameters() };
  }
  const [esmClass = 0] = fields.octets(3);
  fields.cString();
  fields.cString();
  const [, , coding = 0] = fields.octets(4);
  const octets = fields.octets(fields.octet());
  return { from, to, esmClass, coding, octets, parameters: fields.parameters() };
}

/** The text, from either of its two places. */
export const contentOf = ({ octets, parameters }: Delivery): Buffer =>
  octets.length > 0 ? octets : (parameters.get(parameter.messagePayload) ?? octets);
