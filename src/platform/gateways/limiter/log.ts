/** Logs a breaker: one line when it opens, one when it closes. */
import type { Logger } from 'pino';
import type { LimiterOptions } from './limiter.ts';

export function logBreaker(log: Logger, gateway: string): NonNullable<LimiterOptions['breakerChanged']> {
  return (isOpen, detail) => {
    if (isOpen) log.warn({ gateway, detail }, 'The gateway does not work: its circuit breaker is open.');
    else log.info({ gateway }, 'The gateway works again.');
  };
}
