/** Delivery receipts: parameters, or the text that SMPP 3.4 shows in its appendix B. */
import { contentOf, type Delivery, hasUserDataHeader, parameter } from './messages.ts';
import { readHeader } from './parts.ts';

/** In which form a carrier writes its ids into receipts, when that is not the form of its answers. */
export type ReceiptIdForm = 'same' | 'decimal' | 'hex';

export interface Receipt {
  readonly id: string;
  /** The id if the carrier writes it in the other form, where nothing tells which of the two it is. */
  readonly otherId: string | null;
  /** The user_message_reference that came back; null when none did. */
  readonly userReference: number | null;
  /** Null for a state that is not final. */
  readonly state: 'delivered' | 'undelivered' | 'expired' | null;
  readonly detail: string;
}

const receiptType = 0x04;
const intermediateType = 0x20;
const typeBits = 0x3c;

/** By the message_state of the parameters (section 5.2.28; SKIPPED: SMPP 5.0, section 4.7.15). */
const wordsByState: readonly string[] = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
];
/** As the appendix writes them, in full, and as carriers do. UNKNOWN is left out: the carrier does not know, so nothing is certain. */
const finalStates: ReadonlyMap<string, NonNullable<Receipt['state']>> = new Map([
  ['DELIVRD', 'delivered'],
  ['DELIVERD', 'delivered'],
  ['DELIVERED', 'delivered'],
  ['EXPIRED', 'expired'],
  ['DELETED', 'undelivered'],
  ['UNDELIV', 'undelivered'],
  ['UNDELIVERED', 'undelivered'],
  ['UNDELIVERABLE', 'undelivered'],
  ['REJECTD', 'undelivered'],
  ['REJECTED', 'undelivered'],
  ['FAILED', 'undelivered'],
  ['SKIPPED', 'undelivered'],
  ['NOCRED', 'undelivered'],
  ['SYSERR', 'undelivered'],
]);

/** Text alone makes no receipt, since a customer can write any text. */
export function isReceipt({ esmClass, parameters }: Delivery): boolean {
  const type = esmClass & typeBits;
  const isNamed = parameters.has(parameter.receiptedMessageId) && parameters.has(parameter.messageState);
  return type === receiptType || type === intermediateType || isNamed;
}

/** Null when it names no message. */
export function readReceipt(delivery: Delivery, form: ReceiptIdForm): Receipt | null {
  const { esmClass, parameters } = delivery;
  const text = wordsIn(delivery);
  const field = (name: string) => new RegExp(`\\b${name}:\\s*([^\\s]+)`, 'i').exec(text)?.[1] ?? null;
  const named = parameters.get(parameter.receiptedMessageId)?.toString('latin1').replace(/\0.*$/s, '').trim();
  const [byState] = parameters.get(parameter.messageState) ?? [];
  const words = (byState === undefined ? undefined : wordsByState[byState]) ?? field('stat')?.toUpperCase();
  const [id, otherId = null] = idsOf(named, field('id'), form);
  if (!id || words === undefined) return null;
  const isIntermediate = (esmClass & typeBits) === intermediateType;
  const error = field('err');
  const reference = parameters.get(parameter.userMessageReference);
  return {
    ...{ id, otherId, userReference: reference?.length === 2 ? reference.readUInt16BE(0) : null },
    state: isIntermediate ? null : (finalStates.get(words) ?? null),
    detail: error === null || /^0+$/.test(error) ? words : `${words}, error ${error}`.slice(0, 200),
  };
}

/**
 * Ids in one form, to compare them: some carriers pad them with zeros, or write hexadecimal digits in upper case in one place and
 * lower case in another.
 */
export function comparable(id: string): string {
  return /^[0-9a-f]+$/i.test(id) ? id.toLowerCase().replace(/^0+(?=.)/, '') : id;
}

/**
 * The text, whatever the data_coding says: some carriers write receipts in UCS-2, and others copy the data_coding of the message onto a
 * receipt in ASCII. Receipts begin with a character of ASCII, whose first octet in UCS-2 is 0.
 */
function wordsIn(delivery: Delivery): string {
  const content = contentOf(delivery);
  const octets = hasUserDataHeader(delivery) ? readHeader(content).text : content;
  const isUcs2 = octets[0] === 0 || (octets[0] === 0xfe && octets[1] === 0xff);
  return new TextDecoder(isUcs2 ? 'utf-16be' : 'latin1').decode(octets);
}

/**
 * The id in the form of answers. The parameter is to be in that form (section 5.3.2.12), but carriers that write the text's id in another
 * one may do so there too: the text's id tells, or the form of answers; else it may be either.
 */
function idsOf(named: string | undefined, inText: string | null, form: ReceiptIdForm): readonly string[] {
  const fromText = inText === null ? null : comparable(inFormOfResponses(inText, form));
  if (!named) return fromText === null ? [] : [fromText];
  const asItIs = comparable(named);
  const converted = comparable(inFormOfResponses(named, form));
  if (converted === asItIs) return [asItIs];
  if (fromText === converted || fromText === asItIs) return [fromText];
  // Answers are in decimal, and this is not.
  if (form === 'hex' && !/^\d+$/.test(asItIs)) return [converted];
  return [converted, asItIs];
}

function inFormOfResponses(id: string, form: ReceiptIdForm): string {
  if (form === 'decimal' && /^\d{1,20}$/.test(id)) return BigInt(id).toString(16);
  if (form === 'hex' && /^[0-9a-f]{1,16}$/i.test(id)) return BigInt(`0x${id}`).toString();
  return id;
}
