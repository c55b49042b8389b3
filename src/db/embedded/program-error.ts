/** Finds the error in what PostgreSQL's programs print. */

/** The most severe first. */
const kinds = [/(?:FATAL|PANIC):\s*/, /(?:error|ERROR):\s*/];

/** The first line of the most severe kind that occurs, without its prefix, and its detail. */
export function firstError(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || []);
  for (const kind of kinds) {
    const at = lines.findIndex((line) => kind.test(line));
    const [, text] = lines[at]?.split(kind) ?? [];
    if (text === undefined) continue;
    const detail = /DETAIL:\s*(.*)/.exec(lines[at + 1] ?? '')?.[1];
    return detail === undefined ? text : `${text} (${detail})`;
  }
  return lines[0] ?? 'it gave no reason';
}
