/** Delivery receipts: parameters, or the text that SMPP 3.4 shows in its appendix B. */
import type { ReceiptIdForm } from '#config/sms/smpp.ts';
import { contentOf, type Delivery, parameter } from './messages.ts';

export interface Receipt {
  readonly id: string;
  /** Null for a state that is not final. */
  readonly state: 'delivered' | 'undelivered' | 'expired' | null;
  readonly detail: string;
}

const receiptType = 0x04;
const intermediateType = 0x20;
const typeBits = 0x3c;

/** By the message_state of the parameters (section 5.2.28). */
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
];
/** UNKNOWN is left out: the carrier does not know, so nothing is certain. */
const finalStates: ReadonlyMap<string, NonNullable<Receipt['state']>> = new Map([
  ['DELIVRD', 'delivered'],
  ['EXPIRED', 'expired'],
  ['DELETED', 'undelivered'],
  ['UNDELIV', 'undelivered'],
  ['REJECTD', 'undelivered'],
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
  const text = contentOf(delivery).toString('latin1');
  const field = (name: string) => new RegExp(`\\b${name}:\\s*([^\\s]+)`, 'i').exec(text)?.[1] ?? null;
  const named = parameters.get(parameter.receiptedMessageId)?.toString('latin1').replace(/\0.*$/s, '').trim();
  const [byState] = parameters.get(parameter.messageState) ?? [];
  const words = (byState === undefined ? undefined : wordsByState[byState]) ?? field('stat')?.toUpperCase();
  const id = named || inFormOfAnswers(field('id'), form);
  if (!id || words === undefined) return null;
  const isIntermediate = (esmClass & typeBits) === intermediateType;
  const error = field('err');
  return {
    id: comparable(id),
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

function inFormOfAnswers(id: string | null, form: ReceiptIdForm): string | null {
  if (id === null) return null;
  if (form === 'decimal' && /^\d{1,20}$/.test(id)) return BigInt(id).toString(16);
  if (form === 'hex' && /^[0-9a-f]{1,16}$/i.test(id)) return BigInt(`0x${id}`).toString();
  return id;
}
