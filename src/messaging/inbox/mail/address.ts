/**
 * Addresses that put a workshop's e-mail into a conversation: `reply+…@` the installation's domain for replies. Each is signed for
 * one conversation, which belongs to one workshop, and good for 30 days.
 */
import type { Sealing } from '#sealing.ts';
import { isId } from '#values/id.ts';

const goodForDays = 30;
const dayMs = 86_400_000;
/** 80 bits: nobody finds one by trying over SMTP. */
const signatureBytes = 10;
/** Digits of a conversation's id, of a day, and of a signature: with `reply+` 62 characters, of 64 that a local part may have. */
const form = /^reply\+([0-9a-f]{32})([0-9a-f]{4})([0-9a-f]{20})@/;

/** The address of a conversation. `now` is the machine clock's, as mail dates are. */
export function replyAddress(
  sealing: Pick<Sealing, 'sign'>,
  { conversationId, domain, now }: { conversationId: string; domain: string; now: Date },
): string {
  const lastDay = Math.floor(now.getTime() / dayMs) + goodForDays;
  const named = `${conversationId.replaceAll('-', '')}${lastDay.toString(16).padStart(4, '0')}`;
  return `reply+${named}${sealing.sign('replyAddress', named, signatureBytes).toString('hex')}@${domain}`;
}

/** The conversation of an address, in either case, since mail servers may change it; or why there is none. */
export function readReplyAddress(
  sealing: Pick<Sealing, 'isSigned'>,
  address: string,
  now: Date,
): { readonly conversationId: string } | 'unknown' | 'expired' {
  const [, id = '', lastDay = '', signature = ''] = form.exec(address.trim().toLowerCase()) ?? [];
  if (!sealing.isSigned('replyAddress', id + lastDay, Buffer.from(signature, 'hex'))) return 'unknown';
  if (now.getTime() >= (Number.parseInt(lastDay, 16) + 1) * dayMs) return 'expired';
  const conversationId = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return isId(conversationId) ? { conversationId } : 'unknown';
}
