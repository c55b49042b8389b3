/** The log as people read it on a terminal: time, level, message, and the rest in the lines below. */
import type { DestinationStream } from 'pino';
import pretty from 'pino-pretty';

/** Colours are left out where NO_COLOR is set, or the stream is no terminal. */
export function readable(destination: NodeJS.WritableStream): DestinationStream {
  return pretty({
    destination,
    // At once, so that no line is lost at the end of the process.
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
}
