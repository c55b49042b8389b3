/**
 * Looks up names that others choose, whose name servers may never answer. By the system's own look-up each would hold one of the few
 * threads of the process meanwhile, and whoever else needs a name, such as that of an SMS gateway, would wait behind them.
 */
import { type LookupAddress, Resolver } from 'node:dns';

export type Found = (error: Error | null, addresses: LookupAddress[]) => void;

export interface NameServers {
  /** Addresses; those of the system unless given, as they are now. */
  readonly servers?: readonly string[];
  /** For a first answer, in milliseconds; the second try has more. */
  readonly timeoutMs?: number;
}

const usualTimeoutMs = 1_500;
const tries = 2;

/** RFC 6761, 6.3: no name server is asked for these. */
const isThisMachine = (hostname: string) => /^(?:.+\.)?localhost\.?$/i.test(hostname);
const thisMachine: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** All addresses of a name by DNS alone, IPv4 first: /etc/hosts is not looked at. An Error with `syscall` `queryA` when there is none. */
export function resolveName(
  hostname: string,
  found: Found,
  { servers, timeoutMs = usualTimeoutMs }: NameServers = {},
): void {
  if (isThisMachine(hostname)) {
    process.nextTick(found, null, thisMachine);
    return;
  }
  // One for each name: it reads the system's settings, which change while a process runs.
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const both: Partial<Record<4 | 6, { readonly error: Error | null; readonly addresses: LookupAddress[] }>> =
    {};
  const tell = (family: 4 | 6) => (error: Error | null, addresses?: string[]) => {
    both[family] = { error, addresses: (addresses ?? []).map((address) => ({ address, family })) };
    const { 4: ipv4, 6: ipv6 } = both;
    if (ipv4 === undefined || ipv6 === undefined) return;
    const addresses4And6 = [...ipv4.addresses, ...ipv6.addresses];
    found(addresses4And6.length > 0 ? null : ipv4.error, addresses4And6);
  };
  resolver.resolve4(hostname, tell(4));
  resolver.resolve6(hostname, tell(6));
}
