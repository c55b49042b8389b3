/** Calls to partners' URLs, for contexts of tests: guarded as in production, unless receivers of this machine are to be reached. */
import { createOutboundClient, type OutboundClient } from '#gateways/outbound/client.ts';
import { anyNetwork, publicNetwork } from '#gateways/outbound/public-network.ts';

export const testOutbound = (anywhere = false): OutboundClient =>
  createOutboundClient({ network: anywhere ? anyNetwork : publicNetwork });
