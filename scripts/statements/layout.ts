/**
 * Lays a statement out to be read: its source's own lines, each as deep as its parentheses, wrapped where an insertion has made one
 * long. Only white space outside of strings, quoted names and comments changes, and a text that is laid out stays as it is. (A
 * formatter that knows SQL gives each column a line: the statement that creates a booking has 60 lines here, and 700 then.)
 */

/** Of a line, with its indentation. */
const widthAtMost = 140;
/** A string, a quoted name, a comment, white space, a word, or a single character. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\s+|\w+|[^\s\w]/g;
/** What begins a clause is as deep as its parentheses; any other line goes on with the one before, and is deeper. */
const clause =
  /^(?:(?:WITH|SELECT|FROM|WHERE|JOIN|LEFT|CROSS|GROUP BY|HAVING|ORDER BY|LIMIT|OFFSET|FOR|UNION|EXCEPT|INSERT|VALUES|UPDATE|SET|DELETE|USING|RETURNING|ON CONFLICT)\b|\))/;
/** A line may also be broken before these. */
const breaksBefore =
  /^(?:AND|OR|FROM|WHERE|JOIN|LEFT|CROSS|ORDER|GROUP|SELECT|SET|WHEN|ELSE|RETURNING|UNION|ON)$/;

interface Token {
  readonly text: string;
  /** Parentheses that are open before it. */
  readonly depth: number;
}
type Line = readonly Token[];

export function layOut(text: string): string {
  const lines = linesOf(text).flatMap(wrapped);
  // A comment stands where what it says something about begins.
  const about = (from: number) => lines.slice(from).find(([first]) => !first?.text.startsWith('--')) ?? [];
  return lines.map((line, at) => ' '.repeat(indentOf(about(at))) + textOf(line)).join('\n');
}

/** The source's lines without their indentation; white space within a line is one space. */
function linesOf(text: string): Line[] {
  const lines: Token[][] = [[]];
  let depth = 0;
  for (const [found] of text.matchAll(token)) {
    const line = lines.at(-1);
    if (found.trim() === '') {
      if (found.includes('\n')) lines.push([]);
      else line?.push({ text: ' ', depth });
      continue;
    }
    line?.push({ text: found, depth });
    if (found === '(') depth++;
    if (found === ')') depth = Math.max(0, depth - 1);
  }
  return lines.map(trimmed).filter((line) => line.length > 0);
}

function trimmed(line: Line): Line {
  const first = line.findIndex(({ text }) => text !== ' ');
  const last = line.findLastIndex(({ text }) => text !== ' ');
  return first === -1 ? [] : line.slice(first, last + 1);
}

const textOf = (line: Line) => line.map(({ text }) => text).join('');

function indentOf(line: Line): number {
  const [first] = line;
  if (first === undefined) return 0;
  const depth = first.text === ')' ? Math.max(0, first.depth - 1) : first.depth;
  return 4 * depth + (clause.test(textOf(line)) ? 0 : 2);
}

function wrapped(line: Line): Line[] {
  const rest: Line[] = [];
  for (let left = line; ; ) {
    const at = breakOf(left);
    if (at === null) return [...rest, left];
    rest.push(left.slice(0, at));
    left = left.slice(at + 1);
  }
}

/** The space where a line that is too long is broken: between the fewest parentheses, and as late as possible. */
function breakOf(line: Line): number | null {
  let width = indentOf(line);
  let best: { readonly at: number; readonly rank: number } | null = null;
  for (const [at, { text, depth }] of line.entries()) {
    if (width > widthAtMost && best !== null) return best.at;
    if (text === ' ') {
      const isGood = line[at - 1]?.text === ',' || breaksBefore.test(line[at + 1]?.text ?? '');
      // A break in the first third is no use: what follows is as long as before.
      const rank = depth + (isGood ? 0 : 1_000) + (width < widthAtMost / 3 ? 100 : 0);
      if (best === null || rank <= best.rank) best = { at, rank };
    }
    width += text.length;
  }
  return width > widthAtMost ? (best?.at ?? null) : null;
}
