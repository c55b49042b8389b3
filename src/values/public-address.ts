/** Addresses that are everybody's: not of this machine, not of a private network, not reserved. */
import ipaddr from 'ipaddr.js';

/** False too for a text that is no address. An IPv4 address in the form of IPv6 counts as what it is. */
export function isPublicAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'unicast';
}
