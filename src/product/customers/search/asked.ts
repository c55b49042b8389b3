/** Parses what a user types into Find into probes of the terms. */
import { type FieldFault, InvalidInput } from '#base/operator-error.ts';
import { backwards, codeOf, emailOf, type TermKind, wholeOf, wordsOf } from './terms.ts';

export const charactersAtMost = 100;
export const wordsAtMost = 6;
/** Words with fewer characters match only at their beginning, and not at the end of a phone. */
const partFrom = 3;

/** A prefix of terms of one kind, or a substring of terms of several. */
export interface Probe {
  /**
   * The typed text is read in up to three ways: as words; with consecutive numbers joined; and as one registration, phone or code
   * with spaces in it.
   */
  readonly way: number;
  /** The index of the word, from 0; all words must match. */
  readonly word: number;
  /**
   * The word is short and beside a longer one: it is only checked for customers who match the longer one, since half of all
   * customers may match it.
   */
  readonly isCheck: boolean;
  readonly kinds: readonly TermKind[];
  /** The range of terms from here to before `high`; null: match by `part`. */
  readonly low: string | null;
  readonly high: string | null;
  /** At least three characters. */
  readonly part: string | null;
}

/** The upper end of all words with a prefix: no word contains this character. */
const last = '\u{10FFFF}';

/**
 * Empty when nothing can be searched for: no letter and no digit. Phones and e-mails are searched only with `seesPhones`. Throws
 * InvalidInput, field `q`: over 100 characters, over 6 words.
 */
export function readAsked(q: string, seesPhones: boolean): Probe[] {
  if (Array.from(q).length > charactersAtMost)
    throw refused(`must have at most ${charactersAtMost} characters`);
  const tokens = tokensOf(q);
  if (withNumbers(tokens).length > wordsAtMost) throw refused(`must have at most ${wordsAtMost} words`);
  if (!seesPhones && tokens.some((token) => token.includes('@'))) return [];
  const probes = waysOf(tokens).flatMap((its, way) => {
    const longest = Math.min(partFrom, Math.max(...its.words.map((word) => word.length)));
    // If all words are short, the first of the longest is searched for.
    const sought = its.words.findIndex((word) => word.length >= longest);
    return its.words.flatMap((word, number) =>
      probesOf(
        word,
        { way, word: number, isCheck: word.length < partFrom && number !== sought },
        its.isJoined,
      ),
    );
  });
  return seesPhones ? probes : probes.flatMap(withoutPhones);
}

const refused = (message: string) => new InvalidInput([{ field: 'q', message } satisfies FieldFault]);

/** The words; a text with an @ stays whole. */
function tokensOf(q: string): string[] {
  return q
    .replace(/\(0\)/g, ' ')
    .split(/\s+/)
    .flatMap((typed) => (typed.includes('@') ? [emailOf(typed)] : wordsOf(typed)))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

const isNumber = (word: string) => /^\d+$/.test(word);

/** Consecutive groups of digits are one number: `0491 570 006`. */
function withNumbers(tokens: readonly string[]): string[] {
  const words: string[] = [];
  for (const token of tokens) {
    const before = words.at(-1);
    if (before !== undefined && isNumber(before) && isNumber(token)) words[words.length - 1] = before + token;
    else words.push(token);
  }
  return words;
}

interface Way {
  readonly words: readonly string[];
  /** The whole text is one registration, phone, code or prefix of a name. */
  readonly isJoined: boolean;
}

function waysOf(tokens: readonly string[]): Way[] {
  const words = withNumbers(tokens);
  const ways: Way[] = [{ words, isJoined: false }];
  if (words.length < tokens.length && tokens.length <= wordsAtMost)
    ways.push({ words: tokens, isJoined: false });
  const isOne = words.length <= 1 || tokens.some((token) => token.includes('@'));
  if (!isOne) ways.push({ words: [wholeOf(tokens.join(''))], isJoined: true });
  return ways;
}

function probesOf(word: string, of: Pick<Probe, 'way' | 'word' | 'isCheck'>, isJoined: boolean): Probe[] {
  const beginning = (kind: TermKind, low: string): Probe => ({
    ...of,
    ...{ kinds: [kind], low, high: low + last, part: null },
  });
  const part = (kinds: readonly TermKind[]): Probe => ({
    ...of,
    ...{ kinds, low: null, high: null, part: word },
  });
  const isLong = word.length >= partFrom;
  if (word.includes('@')) return [beginning('email', word), ...(isLong ? [part(['email'])] : [])];
  const digits = isNumber(word)
    ? [
        beginning('phone', word.replace(/^00(?=\d{4})/, '')),
        ...(isLong ? [beginning('phoneEnd', backwards(word))] : []),
      ]
    : [];
  return [
    ...(['name', 'rego'] as const).map((kind) => beginning(kind, word)),
    ...(isLong ? [beginning('email', word)] : []),
    beginning('code', codeOf(word)),
    ...digits,
    ...(isLong ? [part(isJoined ? ['rego'] : ['name', 'rego', 'email'])] : []),
  ];
}

const ofPhones: ReadonlySet<TermKind> = new Set(['phone', 'phoneEnd', 'email']);

/** A number in a name is usually a phone: such names are not searched by numbers. */
function withoutPhones(probe: Probe): Probe[] {
  const isOfNumber = /^\d+$/.test(probe.low ?? probe.part ?? '');
  const kinds = probe.kinds.filter((kind) => !ofPhones.has(kind) && !(isOfNumber && kind === 'name'));
  return kinds.length === 0 ? [] : [{ ...probe, kinds }];
}
