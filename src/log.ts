/** The log: JSON lines on standard output, without anything that names or reaches a person. */
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/** A driver's error quotes the row that it could not write, so only these of its properties are logged. */
function serialiseError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' };
  const { name, stack, cause } = error;
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>;
  return {
    type: name,
    message: error.message,
    stack,
    code,
    constraint,
    table,
    routine,
    ...(cause === undefined ? {} : { cause: serialiseError(cause) }),
  };
}

export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    serializers: {
      err: serialiseError,
      // Paths and queries may hold phones and tokens; the route and the request id say enough.
      req: () => undefined,
      res: () => undefined,
    },
    redact: { paths: ['authorization', '*.authorization', 'phone', '*.phone', 'email', '*.email', 'body', '*.body'], remove: true },
  });
}
