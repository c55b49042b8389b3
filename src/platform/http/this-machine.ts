/**
 * Whether a request is from this machine. Binding to a loopback address does not say so: a proxy on the machine would open it to
 * everyone, and a web page whose name resolves to 127.0.0.1 (DNS rebinding) could read it from a browser on the machine.
 */
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '#base/config/loopback.ts';

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

/** Why a request is not from this machine, as a part of a sentence; null: it is from this machine. */
export function elsewhereBecause({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): string | null {
  // A client asks a proxy for an absolute URL, whose host counts in place of the Host header.
  if (!url.startsWith('/') || Object.keys(headers).some(isOfProxy))
    return 'and this request came through a proxy';
  return namesThisMachine(headers.host) ? null : 'and the Host of this request is not localhost';
}
