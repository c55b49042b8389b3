/** 414 for a URL, and 431 for headers, that are longer than any operation needs. */
import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts a URL of any length that the server reads: gateways' callbacks carry whole texts in theirs. */
    longUrl?: boolean;
  }
}

const urlAtMost = 4_096;
const headAtMostBytes = 16 * 1024;
/**
 * How much the server reads of a request before its body. The longest SMS of a customer has 255 parts of 67 UTF-16 characters; in
 * a gateway's callback with each byte escaped that is a URL of 102,510 bytes.
 */
export const headReadAtMostBytes = 128 * 1024;

/** In a URL of any length: parsing one parameter of 100 KB is cheap, parsing 50,000 parameters is not. */
const parametersAtMost = 100;

/**
 * Parses a query. Returns an empty result for a URL that is too long: Fastify parses queries before any hook can refuse the URL.
 */
export function readQuery(text: string): ParsedUrlQuery {
  return text.length > urlAtMost ? {} : parse(text);
}

function hasTooManyParameters(url: string): boolean {
  let at = -1;
  for (let count = 0; count < parametersAtMost; count++) {
    at = url.indexOf('&', at + 1);
    if (at < 0) return false;
  }
  return true;
}

export function urlTooLong(): Problem {
  return new Problem('000001', { status: 414, message: `The URL is longer than ${urlAtMost} characters` });
}

export function headTooLarge(): Problem {
  return new Problem('000001', { status: 431, message: 'The headers are larger than 16 KiB' });
}

/** The bytes of request line and headers, except a few characters of the protocol. */
function headBytes({ url, raw }: FastifyRequest): number {
  let bytes = url.length;
  // Names and values alternate, each with two characters of punctuation.
  for (const text of raw.rawHeaders) bytes += text.length + 2;
  return bytes;
}

export function refuseLongHeads(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.longUrl) {
      if (!hasTooManyParameters(request.url)) return;
      const message = `The URL has more than ${parametersAtMost} parameters`;
      throw new Problem('000001', { status: 414, message });
    }
    if (request.url.length > urlAtMost) throw urlTooLong();
    if (headBytes(request) > headAtMostBytes) throw headTooLarge();
  });
}
