/** How bodies are read: JSON alone, sent as it is. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { Problem } from '#errors.ts';

/** Removes Fastify's parser of text, and refuses a body that is compressed: 415 000006. */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const {
      'content-encoding': encoding,
      'content-length': length,
      'transfer-encoding': chunked,
    } = request.headers;
    // That of a GET is not read.
    const reads = request.method !== 'GET' && request.method !== 'HEAD';
    const hasBody = reads && (chunked !== undefined || Number(length) > 0);
    if (hasBody && encoding !== undefined && !/^\s*(?:identity)?\s*$/i.test(encoding)) {
      throw new Problem('000006', {
        message: 'Send the body as it is, without Content-Encoding',
        // RFC 9110, 12.5.3: what would be taken.
        headers: { 'accept-encoding': 'identity' },
      });
    }
    done();
  });
}

/** Hooks of a route whose body may be empty, whatever type is named for it: it is read as an object without fields. */
export const emptyBodyIsFine: Required<Pick<RouteShorthandOptions, 'onRequest' | 'preValidation'>> = {
  onRequest: (request, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers;
    if (length === '0' && chunked === undefined) delete request.headers['content-type'];
    done();
  },
  preValidation: (request, _reply, done) => {
    request.body ??= {};
    done();
  },
};
