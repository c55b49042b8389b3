/** 414 for a URL, and 431 for headers, that no operation of the API can need. */
import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes a URL of any length that the server reads: of gateways, which bring whole texts in theirs. */
    longUrl?: boolean;
  }
}

const urlAtMost = 4_096;
const headAtMostBytes = 16 * 1024;
/**
 * What the server reads of any request before its body. The longest answer of a customer has 255 parts of 67 UTF-16 characters,
 * and a gateway that escapes each of their bytes brings it in a URL of 102,510.
 */
export const headReadAtMostBytes = 128 * 1024;

/** Of a long URL, whose reading would cost much: a text of 100 KB in one parameter is cheap, 50,000 parameters are not. */
const parametersAtMost = 100;

/** Reads a query; of a URL that is too long nothing, since all queries are read before any URL is refused. */
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

/** Request line and headers as they came, but for a few characters of the protocol. */
function headBytes({ url, raw }: FastifyRequest): number {
  let bytes = url.length;
  // Names and values in turn, each with two characters around it.
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
