/** The response headers of limited operations (IETF draft-ietf-httpapi-ratelimit-headers). */
import { Problem } from '#errors.ts';

export interface RateLimit {
  readonly policy: string;
  /** Requests allowed in one window. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** `RateLimit` and `RateLimit-Policy`; `resetMs` is the time until the window allows a request again. */
export function rateLimitHeaders(
  limit: RateLimit,
  remaining: number,
  resetMs: number,
): Record<string, string> {
  const reset = Math.max(1, Math.ceil(resetMs / 1000));
  return {
    'ratelimit-policy': `"${limit.policy}";q=${limit.quota};w=${limit.windowSeconds}`,
    ratelimit: `"${limit.policy}";r=${Math.max(0, remaining)};t=${reset}`,
  };
}

/** 429, which carries no errorCode. */
export function tooManyRequests(limit: RateLimit, resetMs: number, message: string): Problem {
  return new Problem(null, {
    message,
    headers: {
      ...rateLimitHeaders(limit, 0, resetMs),
      'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))),
    },
  });
}
