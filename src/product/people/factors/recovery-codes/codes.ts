/**
 * Recovery codes: ten, each stands in for a second factor once. Of 80 random bits, so that a plain hash can't be tried through, and that
 * they hold whatever becomes of the installation's key.
 */
import { createHash } from 'node:crypto';
import { newCode, readCode } from '#base/values/code.ts';
import type { Queryable } from '#platform/db/database.ts';
import { replaceCodes } from './store.ts';

const howMany = 10;
const characters = 16;

/** As it is stored. `typed` in either case, with spaces and hyphens; null for a text that is no such code. */
export function hashRecoveryCode(personId: string, typed: string): Buffer | null {
  const code = readCode(typed);
  if (code.length !== characters) return null;
  return createHash('sha256').update(`${personId} ${code}`).digest();
}

/** Ten new ones in the place of those before, for people: `AB12-CD34-EF56-GH78`. They are shown once: only their hashes are stored. */
export async function makeRecoveryCodes(tx: Queryable, personId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, () => newCode(characters));
  const hashes = codes.map((code) => hashRecoveryCode(personId, code)).filter((hash) => hash !== null);
  await replaceCodes(tx, personId, hashes);
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}
