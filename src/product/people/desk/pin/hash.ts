/** The stored form of a PIN: an argon2id hash, sealed with the installation's key, since a million values could be tried. */
import type { Sealing } from '#base/sealing.ts';
import { hashing } from '../../../partners/hashing.ts';
import { hashSecret, verifySecret } from '../../../partners/secret.ts';

/** `personId`: it can only be opened as this person's. Throws 503 000007 while too many hashes are being computed. */
export async function sealPin(sealing: Sealing, personId: string, pin: string): Promise<string> {
  return sealing.seal('pin', await hashing(() => hashSecret(pin)), personId);
}

/** False also when no known key opens it: the person then signs in with a code, and sets another PIN. */
export async function isPin(
  sealing: Sealing,
  personId: string,
  pin: string,
  sealed: string,
): Promise<boolean> {
  const hash = sealing.open('pin', sealed, personId);
  return hash !== null && hashing(() => verifySecret(pin, hash));
}
