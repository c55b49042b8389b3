/** A code as it is stored: signed under a key of the installation, since 40 bits alone would be found by trying. */
import type { Sealing } from '#base/sealing.ts';
import { newCode, readCode } from '#base/values/code.ts';

const hashBytes = 32;

/** Eight characters, 40 bits. */
export const newSignInCode = (): string => newCode(8);

/** `id` is the code's own: two rows with the same code differ. */
export function hashCode(sealing: Sealing, id: string, code: string): Buffer {
  return sealing.sign('signInCodeHash', `${id} ${code}`, hashBytes);
}

/** `typed` as people type it: in either case, with spaces and hyphens. */
export function isCode(sealing: Sealing, id: string, typed: string, hash: Buffer): boolean {
  return sealing.isSigned('signInCodeHash', `${id} ${readCode(typed)}`, hash);
}
