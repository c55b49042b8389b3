/** The bodies of bind_transceiver, submit_sm and deliver_sm (SMPP 3.4, sections 4.1.5, 4.4.1 and 4.6.1). */
import type { Address } from './address.ts';
import { cString, type FieldReader, fieldReader } from './fields.ts';
import { MalformedPdu } from './pdu.ts';

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

export interface Submission {
  readonly from: Address;
  readonly to: Address;
  readonly coding: number;
  readonly withHeader: boolean;
  readonly octets: Buffer;
}

/** What has not reached the phone after a day is of no use any more. */
const validityPeriod = '000001000000000R';
const userDataHeader = 0x40;
const receiptOfEveryOutcome = 1;

const addressFields = ({ ton, npi, text }: Address) =>
  Buffer.concat([Buffer.from([ton, npi]), cString(text)]);

export function submitBody({ from, to, coding, withHeader, octets }: Submission): Buffer {
  const esmClass = withHeader ? userDataHeader : 0;
  return Buffer.concat([
    cString(''),
    addressFields(from),
    addressFields(to),
    Buffer.from([esmClass, 0, 0]),
    cString(''),
    cString(validityPeriod),
    Buffer.from([receiptOfEveryOutcome, 0, coding, 0, octets.length]),
    octets,
  ]);
}

export interface Delivery {
  readonly from: Address;
  readonly to: Address;
  readonly esmClass: number;
  readonly coding: number;
  /** Without what stands in message_payload. */
  readonly octets: Buffer;
  readonly parameters: ReadonlyMap<number, Buffer>;
}

/** Tags of the parameters that are read (section 5.3.2). */
export const parameter = {
  receiptedMessageId: 0x001e,
  seriesReference: 0x020c,
  seriesTotal: 0x020e,
  seriesNumber: 0x020f,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

export const hasUserDataHeader = ({ esmClass }: Delivery) => (esmClass & userDataHeader) !== 0;

/** The standard's most is 20; carriers are not all that strict. */
const addressAtMost = 64;

function readAddress(fields: FieldReader): Address {
  const address = { ton: fields.octet(), npi: fields.octet(), text: fields.cString() };
  if (address.text.length > addressAtMost) throw new MalformedPdu('an address that is too long');
  return address;
}

/** Throws MalformedPdu. */
export function readDelivery(body: Buffer): Delivery {
  const fields = fieldReader(body);
  fields.cString();
  const from = readAddress(fields);
  const to = readAddress(fields);
  const [esmClass = 0] = fields.octets(3);
  fields.cString();
  fields.cString();
  const [, , coding = 0] = fields.octets(4);
  const octets = fields.octets(fields.octet());
  return { from, to, esmClass, coding, octets, parameters: fields.parameters() };
}

/** Its text, wherever it stands. */
export const contentOf = ({ octets, parameters }: Delivery): Buffer =>
  octets.length > 0 ? octets : (parameters.get(parameter.messagePayload) ?? octets);
