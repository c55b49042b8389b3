/** Finds the error in what PostgreSQL's programs print. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A server that runs for years may have written a long log. */
const tailBytes = 64 * 1024;

/** The end of a log, 64 KiB at most. Throws the file system's errors. */
export function tailOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    return tail.toString('utf8', 0, readSync(file, tail, 0, tail.length, size - tail.length));
  } finally {
    closeSync(file);
  }
}

/** The most severe first. */
const kinds = [/(?:FATAL|PANIC):\s*/, /(?:error|ERROR):\s*/];

const logLine = /LOG:\s*(.*)/;

/** The first line of the most severe kind that occurs, without its prefix, and its detail; for a file of settings that contains errors, the last of them. */
export function firstError(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || []);
  for (const kind of kinds) {
    const at = lines.findIndex((line) => kind.test(line));
    const [, text] = lines[at]?.split(kind) ?? [];
    if (text === undefined) continue;
    const logged = lines.slice(0, at).findLast((line) => logLine.test(line));
    const detail = text.endsWith(' contains errors')
      ? logLine.exec(logged ?? '')?.[1]
      : /DETAIL:\s*(.*)/.exec(lines[at + 1] ?? '')?.[1];
    return detail === undefined ? text : `${text} (${detail})`;
  }
  return lines[0] ?? 'it gave no reason';
}
