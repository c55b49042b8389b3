/** How bodies are read: only JSON, without Content-Encoding; an optional body that is absent is an empty object. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, RequestPayload } from 'fastify';
import { Problem } from '#errors.ts';
import { jsonFaultPlace } from './json-fault.ts';
import { readBody } from './read-body.ts';
import { strangerAt } from './unread-memory.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    emptyBody?: boolean;
  }
}

/**
 * Removes Fastify's parser of text, and refuses a body that is compressed (415 000006) or not in UTF-8 (400 000001), of which
 * characters would be lost. `__proto__` and `constructor` are fields like others: no code copies a body's fields by assignment.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  const parseJson: typeof parse = (request, text, done) =>
    parse(request, text, (error, value) => {
      if (error !== null && text !== '') done(notJson(text));
      else done(error, value);
    });
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.decorateRequest('bodyBytes', 0);
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { partnerId, ip } = request;
    const sender = partnerId === '' ? strangerAt(ip) : { known: partnerId };
    const limits = { atMostBytes: request.routeOptions.bodyLimit, sender };
    readBody(request, payload, limits, (error, body) => {
      if (error !== null) done(error);
      else if (isUtf8(body)) parseJson(request, body.toString(), done);
      else done(new Problem('000001', { message: 'The body is not in UTF-8' }));
    });
  });
  app.addHook('preParsing', async (request, _reply, payload) => {
    const {
      'content-encoding': encoding,
      'content-length': length,
      'transfer-encoding': chunked,
    } = request.headers;
    // The body of a GET is not read.
    const reads = request.method !== 'GET' && request.method !== 'HEAD';
    if (!reads) request.raw.resume();
    const hasBody = reads && (chunked !== undefined || Number(length) > 0);
    if (hasBody && encoding !== undefined && !['', 'identity'].includes(encoding.trim().toLowerCase())) {
      throw new Problem('000006', {
        message: 'Send the body as it is, without Content-Encoding',
        // RFC 9110, 12.5.3: the encodings that would be accepted.
        headers: { 'accept-encoding': 'identity' },
      });
    }
    // Without a type nothing is parsed: clients name one also when they send nothing.
    if (request.routeOptions.config.emptyBody && (!hasBody || (chunked && (await endsAtOnce(payload))))) {
      delete request.headers['content-type'];
      delete request.headers['transfer-encoding'];
    }
    return payload;
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.emptyBody) request.body ??= {};
    done();
  });
}

function notJson(text: string): Problem {
  const place = jsonFaultPlace(text);
  return new Problem('000001', {
    message: `The body is not valid JSON${place === '' ? '' : `: ${place}`}`,
  });
}

/** Whether a body whose length was not announced has none. What was read of another is read again. */
function endsAtOnce(payload: RequestPayload): Promise<boolean> {
  return new Promise((resolve) => {
    const ended = () => resolve(true);
    payload.once('close', ended);
    payload.once('readable', () => {
      payload.off('close', ended);
      const first = payload.read();
      if (first !== null) payload.unshift(first);
      resolve(first === null);
    });
  });
}
