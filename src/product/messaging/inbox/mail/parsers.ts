/** What may be asked of an e-mail that came. */
import { parseBounce } from './bounce/parse.ts';
import { parseText } from './parse.ts';

/** `words`: what a workshop wrote. `bounce`: what became of an e-mail of ours. */
export const parsers = { words: parseText, bounce: parseBounce } as const;

export interface Asked {
  readonly raw: Uint8Array;
  readonly as: keyof typeof parsers;
}

export type Answer<As extends Asked['as']> = Awaited<ReturnType<(typeof parsers)[As]>>;
