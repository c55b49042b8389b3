/** Checks the secret token in the callback URL, for gateways that cannot sign their requests. */
import { isSameText } from '#gateways/same-text.ts';
import { queryOf } from './fields.ts';
import type { CallbackRequest } from './gateway.ts';

/** True when the URL of the request carries the token. */
export function carriesToken({ url }: CallbackRequest, token: string): boolean {
  return isSameText(new URLSearchParams(queryOf(url)).get('token') ?? '', token);
}
