/**
 * Tapbacks: what a phone sends as a text when its owner reacts to an SMS, such as `Liked “See you at 9.”` (specification: Customers'
 * answers 7). In the words of English phones.
 */

export interface Tapback {
  /** Such as `👍`. */
  readonly sign: string;
  /** It takes an earlier one back. */
  readonly isRemoved: boolean;
  /** The text that it is about, or its beginning. */
  readonly quoted: string;
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['liked', '👍'],
  ['loved', '❤️'],
  ['disliked', '👎'],
  ['laughed at', '😂'],
  ['emphasized', '‼️'],
  ['emphasised', '‼️'],
  ['questioned', '❓'],
]);
const removals: ReadonlyMap<string, string> = new Map([
  ['removed a like from', '👍'],
  ['removed a heart from', '❤️'],
  ['removed a dislike from', '👎'],
  ['removed a laugh from', '😂'],
  ['removed an exclamation from', '‼️'],
  ['removed a question mark from', '❓'],
]);

/** An emoji, with what joins and colours its parts: no letters, no digits. */
const emoji = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]{1,24}`;
/** iPhones since iOS 18 write `Reacted 👍 to`, Android's Messages `👍 to`. */
const reacted = new RegExp(`^(?:reacted )?(${emoji}) to$`, 'u');
const takenBack = new RegExp(`^removed (${emoji}) from$`, 'u');

const verbAtMost = 60;
const quotes = /["“”„«»]/;
/** More than any text of ours has. */
const quotedAtMost = 2_000;

/** Null for any other text. Whether the quoted text is one of ours is for the caller to find out: `isAbout`. */
export function readTapback(text: string): Tapback | null {
  const whole = text.trim();
  const from = whole.slice(0, verbAtMost).search(quotes);
  if (from < 1 || from === whole.length - 1 || !quotes.test(whole.at(-1) ?? '')) return null;
  const quoted = whole.slice(from + 1, -1);
  if (quoted.length > quotedAtMost || plain(quoted) === '') return null;
  const said = plain(whole.slice(0, from)).toLowerCase();
  const sign = verbs.get(said) ?? reacted.exec(said)?.[1];
  if (sign !== undefined) return { sign, isRemoved: false, quoted };
  const gone = removals.get(said) ?? takenBack.exec(said)?.[1];
  return gone === undefined ? null : { sign: gone, isRemoved: true, quoted };
}

/** Fewer characters say nothing of which text it is, unless they are all of it. */
const beginningAtLeast = 8;

/** Whether the tapback quotes this text of ours, or its beginning. */
export function isAbout({ quoted }: Tapback, ours: string): boolean {
  const [whole, said] = [plain(ours), plain(quoted)];
  if (said === whole) return true;
  const beginning = said.replace(/(?:…|\.\.\.)$/, '').trimEnd();
  return beginning.length >= beginningAtLeast && whole.startsWith(beginning);
}

/** Carriers change quotes, dashes and spaces. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/["“”„«»]/g, '"')
    .replace(/['‘’`´]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
