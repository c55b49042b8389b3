/** The parsers of received e-mails. */
import { parseBounce } from './bounce/parse.ts';
import { parseText } from './parse.ts';
import type { SentMail } from './sent-mail.ts';

/** `words`: the text that a workshop wrote. `bounce`: the content of a bounce. */
export const parsers = { words: parseText, bounce: parseBounce } as const;

export interface Asked {
  readonly raw: Uint8Array;
  readonly as: keyof typeof parsers;
  /** The e-mail that it answers, for `words`. */
  readonly sent?: SentMail | undefined;
}

export type Parsed<As extends Asked['as']> = Awaited<ReturnType<(typeof parsers)[As]>>;
