/**
 * Recovery codes: ten, each replaces a second factor once. They have 80 random bits, so a plain hash can't be brute-forced, and
 * they stay valid when the installation's key is lost.
 */
import { createHash } from 'node:crypto';
import { newCode, readCode } from '#base/values/code.ts';
import type { Queryable } from '#platform/db/database.ts';
import { replaceCodes } from './store.ts';

const howMany = 10;
const characters = 16;

/** The stored hash. `typed` in upper or lower case, with spaces and hyphens; null for a text that is not such a code. */
export function hashRecoveryCode(personId: string, typed: string): Buffer | null {
  const code = readCode(typed);
  if (code.length !== characters) return null;
  return createHash('sha256').update(`${personId} ${code}`).digest();
}

/**
 * Ten new codes that replace the earlier ones, formatted as `AB12-CD34-EF56-GH78`. They are returned only here: only their hashes
 * are stored.
 */
export async function makeRecoveryCodes(tx: Queryable, personId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, () => newCode(characters));
  const hashes = codes.map((code) => hashRecoveryCode(personId, code)).filter((hash) => hash !== null);
  await replaceCodes(tx, personId, hashes);
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}
