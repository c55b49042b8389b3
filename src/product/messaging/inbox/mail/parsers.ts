/** The parsers of received e-mails. */
import { parseBounce } from './bounce/parse.ts';
import { parseText } from './parse.ts';

/** `words`: the text that a workshop wrote. `bounce`: the content of a bounce, with the sender of its envelope. */
export const parsers = { words: parseText, bounce: parseBounce } as const;

export interface Asked {
  readonly raw: Uint8Array;
  readonly as: keyof typeof parsers;
  /** The sender of the envelope; null: not known. */
  readonly sender: string | null;
}

export type Parsed<As extends Asked['as']> = Awaited<ReturnType<(typeof parsers)[As]>>;
