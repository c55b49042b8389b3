/** Reads bodies: only JSON, without content encoding; when the body is optional, a missing one is an empty object. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    emptyBody?: boolean;
  }
}

/** Removes Fastify's parser of text, and refuses a body that is compressed: 415 000006. */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const {
      'content-encoding': encoding,
      'content-length': length,
      'transfer-encoding': chunked,
    } = request.headers;
    // The body of a GET is not read.
    const reads = request.method !== 'GET' && request.method !== 'HEAD';
    const hasBody = reads && (chunked !== undefined || Number(length) > 0);
    if (hasBody && encoding !== undefined && !/^\s*(?:identity)?\s*$/i.test(encoding)) {
      throw new Problem('000006', {
        message: 'Send the body as it is, without Content-Encoding',
        // RFC 9110, 12.5.3: the encodings that would be accepted.
        headers: { 'accept-encoding': 'identity' },
      });
    }
    // Without a type nothing is parsed: clients name one also when they send nothing.
    if (request.routeOptions.config.emptyBody && !hasBody) delete request.headers['content-type'];
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.emptyBody) request.body ??= {};
    done();
  });
}
