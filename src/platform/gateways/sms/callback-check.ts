/** Checks the secret token in the callback URL, for gateways that cannot sign their requests. */
import { isSameText } from '#platform/gateways/same-text.ts';
import { queryOf } from './fields.ts';
import type { CallbackHead, CallbackSender } from './gateway.ts';

/** True when the URL of the request carries the token. */
export function carriesToken({ url }: CallbackHead, token: string): boolean {
  return isSameText(new URLSearchParams(queryOf(url)).get('token') ?? '', token);
}

/** For gateways that the token alone tells from strangers. */
export function senderByToken(head: CallbackHead, token: string): CallbackSender {
  return carriesToken(head, token) ? 'gateway' : 'stranger';
}
