/** The token of a gateway that can't sign. */
import { isSameText } from '#gateways/same-text.ts';
import { queryOf } from './fields.ts';
import type { CallbackRequest } from './gateway.ts';

/** True when the URL that was called carries the token. */
export function carriesToken({ url }: CallbackRequest, token: string): boolean {
  return isSameText(new URLSearchParams(queryOf(url)).get('token') ?? '', token);
}
