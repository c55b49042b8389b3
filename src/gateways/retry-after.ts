/** How long an HTTP answer asks to be left alone. */
import type { IncomingHttpHeaders } from 'node:http';

const atMostMs = 3_600_000;

/** Milliseconds by `Retry-After`, an hour at most; undefined without one, or where it is a date. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const seconds = headers['retry-after']?.trim() ?? '';
  return /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds) * 1_000, atMostMs) : undefined;
}
