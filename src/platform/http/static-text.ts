/** Texts that stay the same while the process runs: compressed where the client accepts it, and 304 when the client has them. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from './etag.ts';
import { type Encoding, preferredEncoding } from './negotiate.ts';

export interface StaticText {
  /** With its charset. */
  readonly type: string;
  readonly etag: string;
  /** Each is made once, at the first request for it. */
  form(encoding: Encoding): Promise<Buffer>;
}

/** Sizes of the 4.9 MB of the reference's script: 1.5 MB at gzip's usual level, 1.2 MB at this one, and no more than that in ten times the time. */
const brotliQuality = 5;

const compress: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content),
  identity: async (content) => content,
};

export function staticText(type: string, content: Buffer): StaticText {
  const forms = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    etag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    form(encoding) {
      const made = forms.get(encoding) ?? compress[encoding](content);
      forms.set(encoding, made);
      return made;
    },
  };
}

/** Any cache may keep it, and has to revalidate it before each use. */
export const askAgain = 'public, no-cache';
/** For an address that changes with its content: cached for good. */
export const keepForAYear = 'public, max-age=31536000, immutable';

export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, form }: StaticText,
  cacheControl: typeof askAgain | typeof keepForAYear,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' });
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const encoding = preferredEncoding(request.headers);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(type).send(await form(encoding));
}
