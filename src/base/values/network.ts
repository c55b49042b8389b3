/** The network of a caller's address: the block that a provider gives to one customer. */
import ipaddr from 'ipaddr.js';

/**
 * The first 64 bits of an IPv6 address, since its owner usually has all 2^64 of that block; an IPv4 address, also in the form of
 * IPv6, as it is. A text that is not an address is returned as it is.
 */
export function networkOf(text: string): string {
  if (!ipaddr.IPv6.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** The network of an address as it may be kept: the first 24 bits of an IPv4 address, the first 64 of an IPv6 one. */
export function coarseNetworkOf(text: string): string {
  const network = networkOf(text);
  return ipaddr.IPv4.isValid(network) ? `${network.split('.').slice(0, 3).join('.')}.0/24` : network;
}
