/** Token pairs: opaque, 256 random bits, stored only as SHA-256. */
import { createHash, randomBytes } from 'node:crypto';

/** An access token is valid for 48 hours from issue (specification: Signing in 3); `expiresIn` is this time in seconds. */
export const accessTokenLifeSeconds = 48 * 3600;
export const refreshTokenLifeSeconds = 30 * 24 * 3600;

export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
}

const form = /^ptl_[ar]t_[A-Za-z0-9_-]{43}$/;

export function newTokenPair(): TokenPair {
  const random = () => randomBytes(32).toString('base64url');
  return { token: `ptl_at_${random()}`, refreshToken: `ptl_rt_${random()}` };
}

/** False for a text that can't be a token of this service, so that no look-up is needed. */
export function hasTokenForm(text: string): boolean {
  return form.test(text);
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The instant `seconds` after `from`. */
export function after(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}
