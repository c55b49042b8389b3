/** Ends what somebody wrote with a mark, so that the sentence that follows stands apart. */
import { linksIn } from './links.ts';

const ended = /[.!?…:;。！？؟।]["'”’»)\]]?$/u;

/** With a full stop, unless it ends with a mark or is empty. A link stays as it is: a stop behind it would become part of it. */
export function asSentence(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed === '' || ended.test(trimmed.slice(-2))) return trimmed;
  return linksIn(trimmed).at(-1)?.end === trimmed.length ? trimmed : `${trimmed}.`;
}

/** With a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
