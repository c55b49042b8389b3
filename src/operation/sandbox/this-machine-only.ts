/**
 * The sandbox needs no token, so it serves this machine only (403 000003), unless PITLANE_SANDBOX=on. Binding to a loopback
 * address is not enough: a proxy on the machine would open it to everyone, and a web page whose name resolves to 127.0.0.1 (DNS
 * rebinding) could read it from a browser on the machine.
 */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { isLoopback } from '#base/config/loopback.ts';
import type { Config } from '#base/config.ts';
import { Problem } from '#errors.ts';

/** Headers that proxies add: of the standard, of one vendor by its prefix, and any that tells a caller's address (`True-Client-IP`). */
const isOfProxy = (header: string) =>
  /^(?:forwarded|via|cdn-loop|x-forward|x-original-|x-envoy-|x-amz|x-azure-|x-arr-|x-appengine-|x-cloud-trace-|x-vercel-|x-nf-|cf-|cloudfront-|fastly-|fly-|akamai-|incap-|ngrok-|tailscale-)/.test(
    header,
  ) || /[-_](?:client)?(?:ip|addr|address)$/.test(header);

/** True when the Host header names this machine: `localhost`, or an address of the loopback network, with any port, and nothing else. */
function namesThisMachine(host: string | undefined): boolean {
  const [, bracketed, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return isLoopback((bracketed ?? name ?? '').toLowerCase());
}

function refusal({ headers, url }: FastifyRequest): string | null {
  // Programs ask a proxy for a whole address: what that names counts then, not the Host.
  if (!url.startsWith('/') || Object.keys(headers).some(isOfProxy))
    return 'and this request came through a proxy';
  return namesThisMachine(headers.host) ? null : 'and the Host of this request is not localhost';
}

/** True when the sandbox serves this request. */
export function reachesSandbox(config: Pick<Config, 'sandboxForced'>, request: FastifyRequest): boolean {
  return config.sandboxForced || refusal(request) === null;
}

/** A hook that refuses requests from elsewhere; with PITLANE_SANDBOX=on it lets everyone in. */
export function thisMachineOnly({ sandboxForced }: Pick<Config, 'sandboxForced'>): onRequestAsyncHookHandler {
  return async (request) => {
    const why = sandboxForced ? null : refusal(request);
    if (why === null) return;
    throw new Problem('000003', {
      message: `The sandbox serves its own machine only, ${why}; the operator can open it with PITLANE_SANDBOX=on`,
    });
  };
}
