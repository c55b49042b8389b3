/** Codes of authenticator apps (RFC 6238: SHA-1, six digits, steps of 30 seconds), the variant that every app supports. */

const stepMs = 30_000;
const digits = 6;
const issuer = 'Pitlane';

/** The library is loaded on first use. */
const library = () => import('otpauth');

/** A new seed of 160 random bits, in base32. */
export async function newSeed(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: 20 }).base32;
}

/** The content of the QR code: `otpauth://totp/…`. `email` names the account in the app. */
export async function keyUri(seed: string, email: string): Promise<string> {
  const { TOTP } = await library();
  return new TOTP({ issuer, label: email, secret: seed, digits, period: stepMs / 1_000 }).toString();
}

/** The step of the typed code, among the present one and its neighbours; null: none matches. `now` by the machine's clock. */
export async function stepOf(seed: string, typed: string, now: Date): Promise<number | null> {
  const token = typed.replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const { Secret, TOTP } = await library();
  const delta = TOTP.validate({
    ...{ token, digits, secret: Secret.fromBase32(seed), window: 1 },
    ...{ period: stepMs / 1_000, timestamp: now.getTime() },
  });
  return delta === null ? null : Math.floor(now.getTime() / stepMs) + delta;
}
