/** 414 for a URL that no operation of the API can need. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

const lengthAtMost = 4_096;

export function urlTooLong(): Problem {
  return new Problem('000001', {
    status: 414,
    message: `The URL is longer than ${lengthAtMost} characters`,
  });
}

export function refuseLongUrls(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.url.length > lengthAtMost) throw urlTooLong();
  });
}
