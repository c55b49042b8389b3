/** Logs once that a proxy seems to be in front of a process that trusts none. */
import type { FastifyInstance } from 'fastify';

/**
 * With TRUST_PROXY=off every caller has the proxy's address, so the limits of an address count all of them together. Call it only
 * then. One line a process: anyone can send the header.
 */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      app.log.warn(
        'a request came with X-Forwarded-For while TRUST_PROXY is off: behind a proxy all callers count as one address; set TRUST_PROXY, or ignore this where there is no proxy',
      );
    }
    done();
  });
}
