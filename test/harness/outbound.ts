/** Calls to partners' URLs, for contexts of tests: guarded as in production, unless receivers of this machine are to be reached. */
import { createOutboundClient, type OutboundClient } from '#gateways/outbound/client.ts';
import { anyNetwork, networkOf } from '#gateways/outbound/public-network.ts';
import { resolveName } from '#gateways/outbound/resolve.ts';
import { isPublicAddress } from '#values/public-address.ts';

/** Hosts of tests do not exist, and no name server is asked to say so: without a network that takes it seconds. */
const network = networkOf(isPublicAddress, {}, (hostname, found) => {
  if (!hostname.endsWith('.example')) return resolveName(hostname, found);
  found(Object.assign(new Error(`no such host: ${hostname}`), { code: 'ENOTFOUND', syscall: 'queryA' }), []);
});

export const testOutbound = (anywhere = false): OutboundClient =>
  createOutboundClient({ network: anywhere ? anyNetwork : network, nowhereMs: 1 });
