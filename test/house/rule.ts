/** The type of a house rule, and helpers for the common kinds. */
import type { SourceFile } from './source.ts';

export interface Finding {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly what: string;
}

/** A small repository: path → text. */
export type Sample = Readonly<Record<string, string>>;

export interface Rule {
  readonly name: string;
  /** What to do instead, for the person who just broke the rule. */
  readonly instead: string;
  find(files: readonly SourceFile[]): Finding[];
  /** Each breaks the rule. */
  readonly bad: readonly Sample[];
  /** None breaks the rule, however close it comes. */
  readonly good: readonly Sample[];
}

export function finding(file: SourceFile, at: number, what: string): Finding {
  return { path: file.path, line: file.text.slice(0, at).split('\n').length, what };
}

/** Words with spaces between them: put together like this, a rule's file does not hold what it looks for. */
export const phrase = (...words: string[]) => words.join(' ');

/** Between two words, also where a comment goes on in its next line: a part of a regular expression. */
export const gap = '\\s+(?:(?:\\*|//)\\s+)?';

/** Every match of the pattern in the given part of each chosen file; the pattern needs the `g` flag. */
export function matches(
  files: readonly SourceFile[],
  chosen: (file: SourceFile) => boolean,
  part: 'code' | 'text',
  pattern: RegExp,
): Finding[] {
  return files.filter(chosen).flatMap((file) =>
    [...file[part].matchAll(pattern)].map((match) => {
      const start = match.index + (match[0].length - match[0].trimStart().length);
      return finding(file, start, match[0].trim().replace(/\s+/g, ' '));
    }),
  );
}
