/** The rate limit of messaging: 5 requests a second of one workshop and customer (document, section 8). */
import type { RateLimit } from '#http/rate-limit.ts';

export const messageLimit: RateLimit = { policy: 'messages', quota: 5, windowSeconds: 1 };
