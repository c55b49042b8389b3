/** The stored form of a code: signed with a key of the installation, since 40 bits alone could be found by brute force. */
import type { Sealing } from '#base/sealing.ts';
import { newCode, readCode } from '#base/values/code.ts';

const hashBytes = 32;

/** Eight characters, 40 bits. */
export const newSignInCode = (): string => newCode(8);

/** `id` is the code's own id, so two rows with the same code have different hashes. */
export function hashCode(sealing: Sealing, id: string, code: string): Buffer {
  return sealing.sign('signInCodeHash', `${id} ${code}`, hashBytes);
}

/** `typed` in upper or lower case, with spaces and hyphens. */
export function isCode(sealing: Sealing, id: string, typed: string, hash: Buffer): boolean {
  return sealing.isSigned('signInCodeHash', `${id} ${readCode(typed)}`, hash);
}
