/** The parsers of received e-mails. */
import { parseBounce } from './bounce/parse.ts';
import { parseText } from './parse.ts';
import type { SentMail } from './sent-mail.ts';

/** Facts that are known beside the e-mail. */
export interface Beside {
  /** For `words`: the e-mail that it answers. */
  readonly sent?: SentMail | undefined;
  /** For `bounce`: the sender of the envelope; null: not known. */
  readonly sender?: string | null | undefined;
}

/** `words`: the text that a workshop wrote. `bounce`: the content of a bounce. */
export const parsers = {
  words: (raw: Uint8Array, { sent }: Beside) => parseText(raw, sent),
  bounce: (raw: Uint8Array, { sender }: Beside) => parseBounce(raw, sender),
} as const;

export interface Asked extends Beside {
  readonly raw: Uint8Array;
  readonly as: keyof typeof parsers;
}

export type Parsed<As extends Asked['as']> = Awaited<ReturnType<(typeof parsers)[As]>>;
