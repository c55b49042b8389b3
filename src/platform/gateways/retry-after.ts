/** The `Retry-After` header of an HTTP response: seconds, or a date (RFC 9110, 10.2.3). */
import type { IncomingHttpHeaders } from 'node:http';
import { httpDateMs } from '#base/values/http-date.ts';

const atMostMs = 3_600_000;

/**
 * The pause in milliseconds, an hour at most. A date counts from the response's own `Date`, so that clocks need not agree.
 * Undefined without the header, and when it is neither.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const isSeconds = /^\d{1,9}$/.test(given);
  const waitMs = isSeconds ? Number(given) * 1_000 : httpDateMs(given) - httpDateMs(headers.date ?? '');
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), atMostMs);
}
