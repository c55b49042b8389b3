/** The network of a caller's address: the block that a provider gives to one customer. */
import { isIPv6 } from 'node:net';

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  // Also turns a tail in the form of IPv4 into two groups, and all to lower case.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const parse = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * The first 64 bits of an IPv6 address, since its owner usually has all 2^64 of that block; an IPv4 address, also in the form of
 * IPv6, as it is. A text that is not an address is returned as it is.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
