/** The log: JSON lines without personal details. */
import { writeFile } from 'node:fs';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import type { LogLevel } from './config/process.ts';
import { isRehearsed } from './rehearsed.ts';

/** E-mail addresses, phone numbers, and what this service hands out: app keys, secrets, tokens. */
const personal =
  /[^\s"'<>,;:/()]{1,64}@[\w.-]+|(?<![\w-])(?:\+\d[\d ]{6,17}|0\d[\d ]{6,12})\d(?![\w-])|ptl_[a-z]+_[\w-]+/g;

function redacted(text: string | undefined): string | undefined {
  return text?.replaceAll(personal, '…');
}

/** The driver's errors of class 22 quote the value that they could not take; their code and routine say enough. */
function quotesValue(error: Error & Record<string, unknown>): boolean {
  return typeof error['routine'] === 'string' && String(error['code']).startsWith('22');
}

/** A driver's error holds the row that it could not write, so only these of its properties are logged. */
function serialiseError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' };
  const { name, message, stack, cause } = error;
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>;
  const shown = quotesValue(error as Error & Record<string, unknown>) ? '…' : message;
  return {
    type: name,
    message: redacted(shown),
    stack: redacted(stack?.replace(message, shown)),
    code,
    constraint,
    table,
    routine,
    ...(cause === undefined ? {} : { cause: serialiseError(cause) }),
  };
}

/** Writes to standard output, or where a test wants it. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    hooks: {
      logMethod(this: Logger, line: Parameters<LogFn>, write: LogFn) {
        if (!isRehearsed()) write.apply(this, line);
      },
    },
    serializers: {
      err: serialiseError,
      // Paths and queries may hold phones and tokens; the route and the request id say enough.
      req: () => undefined,
      res: () => undefined,
    },
    redact: {
      paths: ['authorization', 'phone', 'callerPhone', 'recordingUrl', 'email', 'body'].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      remove: true,
    },
  };
  return pino(options, destination ?? standardOutput(1));
}

/** So much of the log waits for a disk that is full; what comes after it is lost. */
const heldAtMostBytes = 1024 * 1024;

/**
 * Standard output (1) or standard error (2) for a log. One that can't be written, on a full disk for instance, stops nothing: standard
 * error says so once, unless it is the one.
 */
export function standardOutput(fd: number): DestinationStream {
  // `flush` does nothing where the least length is 0. (`flushSync` waits for a full disk in a loop.)
  const stream = pino.destination({ dest: fd, sync: true, minLength: 1, maxLength: heldAtMostBytes });
  // A full buffer writes no more by itself; each line that is lost tries again.
  stream.on('drop', () => stream.flush());
  stream.once('error', ({ code }: NodeJS.ErrnoException) => {
    stream.on('error', () => undefined);
    // A reader that went away, which pino knows of.
    if (code === 'EPIPE' || fd === 2) return;
    const line = `pitlane: the log can't be written (${code}): its lines are lost until it can\n`;
    // Its own failure is ignored: standard error may lie on the same disk.
    writeFile(2, line, () => undefined);
  });
  return stream;
}
