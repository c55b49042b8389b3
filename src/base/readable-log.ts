/** The log as people read it on a terminal: time, level, message, and the rest in the lines below. */
import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { escapedTwice } from '#base/values/controls.ts';

/** Colours are left out where NO_COLOR is set, or the stream is no terminal. */
export function readable(destination: DestinationStream): DestinationStream {
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true });
  // At once, so that no line is lost at the end of the process.
  return { write: (line) => destination.write(pretty(escapedTwice(line))) };
}
