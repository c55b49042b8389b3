/** How bodies are read: JSON alone, sent as it is. */
import type { FastifyInstance, onRequestAsyncHookHandler, preValidationAsyncHookHandler } from 'fastify';
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

/** For an operation whose body may be empty: what type it would have been of does not matter then. */
export const forgetTypeOfNothing: onRequestAsyncHookHandler = async ({ headers }) => {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = headers;
  if (length === '0' && chunked === undefined) delete headers['content-type'];
};

/** An empty body is an object without fields. */
export const readNothingAsEmpty: preValidationAsyncHookHandler = async (request) => {
  request.body ??= {};
};
