/** The `Retry-After` header of an HTTP response. */
import type { IncomingHttpHeaders } from 'node:http';

const atMostMs = 3_600_000;

/** The pause in milliseconds, an hour at most; undefined without the header, or when it is a date. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const seconds = headers['retry-after']?.trim() ?? '';
  return /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds) * 1_000, atMostMs) : undefined;
}
