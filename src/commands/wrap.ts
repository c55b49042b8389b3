/** Long texts on several lines, no wider than the terminal. */
import truncatedWidth from 'fast-string-truncated-width';
import { terminal } from './terminal.ts';

/** The terminal's width; infinite without a terminal and for files. */
export function lineWidth(): number {
  const { isTTY, columns } = terminal().stdout;
  return (isTTY && columns) || Number.POSITIVE_INFINITY;
}

const widthOf = (text: string) => truncatedWidth(text).width;

/** The text in lines of at most this width, broken between words; a longer word is broken too. */
export function wrapped(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      const { index } = truncatedWidth(line, { limit: width });
      if (index <= 0 || index >= line.length) break;
      lines.push(line.slice(0, index));
      line = line.slice(index);
    }
  }
  return [...lines, line];
}

/** The same below a heading: each line begins with this. */
export function indented(text: string, indent: string): string {
  const width = Math.max(20, lineWidth() - indent.length);
  return wrapped(text, width)
    .map((line) => (indent + line).trimEnd())
    .join('\n');
}
