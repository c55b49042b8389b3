/** Addresses that are everybody's: not of this machine, not of a private network, not reserved. */
import ipaddr from 'ipaddr.js';

/** All of IPv6 that is given out for public use. What lies outside, such as `::127.0.0.1`, may lead anywhere. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** False too for a text that is no address. An IPv4 address in the form of IPv6 counts as what it is. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && !address.match(publicIpv6)) return false;
  return address.range() === 'unicast';
}
