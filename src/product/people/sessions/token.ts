/** Tokens of sessions: 256 random bits, stored only as SHA-256. */
import { createHash, randomBytes } from 'node:crypto';

const form = /^[A-Za-z0-9_-]{43}$/;

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Null for a text that can't be a token of this service, so that no look-up is needed. */
export function hashSessionToken(token: string): Buffer | null {
  return form.test(token) ? createHash('sha256').update(token).digest() : null;
}
