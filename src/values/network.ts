/** The network that a caller's address stands for: what one customer of a provider has to itself. */
import ipaddr from 'ipaddr.js';

/**
 * Of IPv6 the first 64 bits, since whoever has one address has as a rule 2^64; of IPv4, also in the form of IPv6, the address.
 * What is no address is returned as it is.
 */
export function networkOf(text: string): string {
  if (!ipaddr.IPv6.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
