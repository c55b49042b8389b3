/**
 * Addresses of ours that say what an e-mail to them is about: `reply+…@` is a reply into one conversation, `bounce+…@` a bounce of one
 * attempt (VERP: the envelope sender of one e-mail alone). Each is signed, so nobody else can make one, and good for 30 days.
 */
import type { Sealing, SigningPurpose } from '#base/sealing.ts';
import { isId } from '#base/values/id.ts';

const goodForDays = 30;
const dayMs = 86_400_000;
/** 80 bits: nobody finds one by trying over SMTP. */
const signatureBytes = 10;
/** Digits of an id, of a day, and of a signature: with `bounce+` 63 characters, of 64 that a local part may have. */
const form = /^(reply|bounce)\+([0-9a-f]{32})([0-9a-f]{4})([0-9a-f]{20})@/;

const purposes = { reply: 'replyAddress', bounce: 'bounceAddress' } as const satisfies Record<
  string,
  SigningPurpose
>;
export type AddressUse = keyof typeof purposes;

export interface NewAddress {
  readonly use: AddressUse;
  /** The id of the conversation (`reply`), or of the attempt (`bounce`). */
  readonly id: string;
  readonly domain: string;
  /** The machine clock's, as mail dates are. */
  readonly now: Date;
}

export function signedAddress(sealing: Pick<Sealing, 'sign'>, { use, id, domain, now }: NewAddress): string {
  const lastDay = Math.floor(now.getTime() / dayMs) + goodForDays;
  const named = `${id.replaceAll('-', '')}${lastDay.toString(16).padStart(4, '0')}`;
  return `${use}+${named}${sealing.sign(purposes[use], named, signatureBytes).toString('hex')}@${domain}`;
}

export interface KnownAddress extends Pick<NewAddress, 'use' | 'id'> {
  readonly isExpired: boolean;
}

/** Returns the purpose and id of a signed address, in upper or lower case, since mail servers may change it; null: it is not ours. */
export function readSignedAddress(
  sealing: Pick<Sealing, 'isSigned'>,
  address: string,
  now: Date,
): KnownAddress | null {
  const [, use, digits = '', lastDay = '', signature = ''] = form.exec(address.trim().toLowerCase()) ?? [];
  if (use !== 'reply' && use !== 'bounce') return null;
  if (!sealing.isSigned(purposes[use], digits + lastDay, Buffer.from(signature, 'hex'))) return null;
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const isExpired = now.getTime() >= (Number.parseInt(lastDay, 16) + 1) * dayMs;
  return isId(id) ? { use, id, isExpired } : null;
}
