/** The allowed URLs of endpoints. */
import type { FieldError } from '#errors.ts';
import type { OutboundClient } from '#platform/gateways/outbound/client.ts';

/** The faults of a URL when it is registered; its name is resolved at each connection. */
export function urlFaults(outbound: Pick<OutboundClient, 'allows'>, text: unknown): FieldError[] {
  if (typeof text !== 'string') return [];
  const url = URL.parse(text);
  if (url !== null && outbound.allows(url)) return [];
  return [
    { field: 'url', message: 'must be an https URL without credentials that leads to a public address' },
  ];
}
