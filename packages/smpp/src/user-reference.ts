/**
 * The user_message_reference (SMPP 3.4, section 5.3.2.17): a number of 16 bits that some carriers give back with receipts. It is made of
 * the attempt's id, so that every process knows whose it is, also when the response to the hand-over was lost.
 */
import { parameter } from './messages.ts';

/** Whether messages carry a user_message_reference: `auto` is where the carrier names SMPP 3.4 or later. */
export type UserReferences = 'auto' | 'always' | 'never';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Null for a reference that is no UUID. */
const userReferenceOf = (reference: string): number | null =>
  uuid.test(reference) ? Number.parseInt(reference.slice(-4), 16) : null;

const firstVersionWithParameters = 0x34;

/**
 * The parameter of a submission, or none. A carrier that names no version, or an earlier one, is to be taken for one without
 * optional parameters (SMPP 3.4, section 3.4), unless the settings say otherwise.
 */
export function userReferenceParameter(
  reference: string,
  when: UserReferences,
  version: number | null,
): readonly (readonly [tag: number, value: Buffer])[] {
  const value = userReferenceOf(reference);
  const isUnderstood = when === 'auto' ? (version ?? 0) >= firstVersionWithParameters : when === 'always';
  if (value === null || !isUnderstood) return [];
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(value);
  return [[parameter.userMessageReference, octets]];
}
