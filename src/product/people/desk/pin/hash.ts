/** A PIN as it is stored: an argon2id hash, sealed under the installation's key, since a million would be found by trying. */
import type { Sealing } from '#base/sealing.ts';
import { hashing } from '../../../partners/hashing.ts';
import { hashSecret, verifySecret } from '../../../partners/secret.ts';

/** `personId`: it opens as that person's alone. Throws 503 000007 while too many are hashed. */
export async function sealPin(sealing: Sealing, personId: string, pin: string): Promise<string> {
  return sealing.seal('pin', await hashing(() => hashSecret(pin)), personId);
}

/** False too for one that no known key has sealed: its person signs in with a code, and sets another. */
export async function isPin(
  sealing: Sealing,
  personId: string,
  pin: string,
  sealed: string,
): Promise<boolean> {
  const hash = sealing.open('pin', sealed, personId);
  return hash !== null && hashing(() => verifySecret(pin, hash));
}
