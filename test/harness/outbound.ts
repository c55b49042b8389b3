/** Calls to partners' URLs, for contexts of tests: guarded as in production, unless receivers of this machine are to be reached. */

import { isPublicAddress } from '#base/values/public-address.ts';
import { createOutboundClient, type OutboundClient } from '#platform/gateways/outbound/client.ts';
import { anyNetwork, networkOf } from '#platform/gateways/outbound/public-network.ts';
import { resolveName } from '#platform/gateways/outbound/resolve.ts';

/** Hosts of tests do not exist, and no name server is asked to say so: without a network that takes it seconds. */
const network = networkOf(isPublicAddress, {}, (hostname, found) => {
  if (!hostname.endsWith('.example')) return resolveName(hostname, found);
  found(Object.assign(new Error(`no such host: ${hostname}`), { code: 'ENOTFOUND', syscall: 'queryA' }), []);
});

export const testOutbound = (anywhere = false): OutboundClient =>
  createOutboundClient({ network: anywhere ? anyNetwork : network, nowhereMs: 1 });
