/**
 * 400 for HTTP/1.1 without a Host header (RFC 9112, 3.2), and for a header that has one value and comes more than once. Of Host,
 * Authorization and Content-Type Node would use the first, and a proxy before it perhaps the last; others it would join to a value
 * that nobody sent.
 */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

/** In the order of their bits. If-Match is not one of them: it is a list, which may come in several headers. */
const single = [
  'Host',
  'Authorization',
  'X-Partner-ID',
  'Content-Type',
  'Idempotency-Key',
  'Pitlane-Strict',
] as const;
const bits = new Map(single.map((name, at) => [name.toLowerCase(), 1 << at]));
/** Most headers are skipped by their length. */
const lengths = new Set(single.map(({ length }) => length));

export function requireSingleHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion !== '1.0')
      throw new Problem('000001', { message: 'The header Host is missing' });
    const repeated = repeatedHeader(raw.rawHeaders);
    if (repeated !== null)
      throw new Problem('000001', { message: `The header ${repeated} comes more than once` });
  });
}

/** `rawHeaders`: names and values alternate. */
function repeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!lengths.has(name.length)) continue;
    const bit = bits.get(name.toLowerCase()) ?? 0;
    if ((seen & bit) !== 0) return single[Math.log2(bit)] ?? null;
    seen |= bit;
  }
  return null;
}
