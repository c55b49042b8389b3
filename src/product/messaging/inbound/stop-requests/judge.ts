/**
 * Texts by which a customer may ask for no more texts, in other words than an opt-out word (specification: Opting out 8). Staff
 * decide, so it takes a text rather than leave it out; one about a car does not count. Each is read once, word by word.
 */
import {
  aboutCars,
  afterStop,
  anywhere,
  beforeStop,
  between,
  communication,
  contacting,
  courtesies,
  negated,
  ofAList,
  otherLists,
  plain,
  sentences,
  severalTexts,
  stopping,
  texting,
  texts,
  unsubscribe,
  wishing,
  wordsIn,
} from './words.ts';

const betweenAtMost = 7;

/** True for "Stop texting me", "unsubscribe me", "REMOVE"; false for "stop by tomorrow?", "remove the tyres". */
export function mayAskToStop(text: string): boolean {
  const read = plain(text);
  const clauses = read.split(/(?:[.!?;,:\n\r…。！？，]|\s[-–—]\s)+/).map(wordsIn);
  const said = clauses.filter((words) => words.length > 0);
  // "Wrong number, stop", "Stop, I have sold it".
  if ([said.at(0), said.at(-1)].some((words) => words !== undefined && isRequest(words))) return true;
  if (isShouted(text)) return true;
  return read
    .split(/[.!?;\n\r…。！？]+/)
    .map(wordsIn)
    .some(asks);
}

function asks(words: readonly string[]): boolean {
  if (words.some((_, at) => saysHow(words, at))) return isRequest(words);
  const isOfACar = words.some((word) => aboutCars.has(word));
  return (
    isRequest(words) ||
    endsInStop(words) ||
    words.some((_, at) => (!isOfACar && stopsTexts(words, at)) || asksAt(words, at))
  );
}

/** The whole sentence is a request, courtesies aside. */
function isRequest(words: readonly string[]): boolean {
  let [from, to] = [0, words.length];
  while (from < to && courtesies.has(words[from] ?? '')) from++;
  while (to > from && courtesies.has(words[to - 1] ?? '')) to--;
  const rest = words.slice(from, to);
  if (rest.length === 0 || rest.length > 8) return false;
  if (rest[0] === 'stop' && rest.every((word) => word === 'stop' || /^\d+$/.test(word))) return true;
  return (
    sentences.has(rest.join(' ')) || (rest.every(({ length }) => length === 1) && rest.join('') === 'stop')
  );
}

/** "Reply STOP to unsubscribe", "to opt out text STOP": what a machine answers, of its own texts. */
function saysHow(words: readonly string[], at: number): boolean {
  if (words[at + 1] !== 'stop' || !/^(?:reply|text|txt|send)$/.test(words[at] ?? '')) return false;
  return words[at + 2] === 'to' || words[0] === 'to';
}

/** "wrong number please stop", "I asked you to stop", "can you please stop": short, and nothing follows. */
function endsInStop(words: readonly string[]): boolean {
  if (words.length > 8 || words.at(-1) !== 'stop') return false;
  const [before, second] = [words.at(-2) ?? '', words.at(-3)];
  return (
    beforeStop.has(before) || (before === 'to' && second === 'you') || (before === 'you' && words.length < 4)
  );
}

/** "STOP I am not your customer": the word in capitals before others that are not. */
function isShouted(text: string): boolean {
  const [first, second = ''] = wordsIn(text.slice(0, 100));
  return first === 'STOP' && /\p{Ll}/u.test(text) && !afterStop.has(plain(second));
}

function asksAt(words: readonly string[], at: number): boolean {
  return (
    wantsNone(words, at) ||
    unsubscribes(words, at) ||
    wantsOff(words, at) ||
    anywhere.some((phrase) => phrase.every((word, n) => words[at + n] === word))
  );
}

/** The place of the first word from `at` on that is not `between`, within a few words. */
function past(words: readonly string[], at: number): number {
  let to = at;
  while (to - at < betweenAtMost && between.has(words[to] ?? '') && !endsThere(words, to)) to++;
  return to;
}

/** `text`, `sms` and their like are what is looked for, where nothing of it follows. */
const endsThere = (words: readonly string[], at: number): boolean =>
  texts.has(words[at] ?? '') && !texts.has(words[at + 1] ?? '');

/** "stop texting me", "stop sending these", "cancel my texts", "no more messages". */
function stopsTexts(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  const isStop = stopping.has(word);
  const isNoMore = word === 'no' && words[at + 1] === 'more';
  if (!isStop && !isNoMore && word !== 'cancel') return false;
  const to = past(words, at + (isNoMore ? 2 : 1));
  const found = words[to] ?? '';
  if (word === 'cancel') return severalTexts.has(found);
  // "stop the message" is about the one that a car shows, or that was just sent.
  if (texts.has(found)) return severalTexts.has(found) || words[to - 1] !== 'the';
  if (isNoMore) return communication.has(found) || severalTexts.has(found);
  if (communication.has(found)) return words[to - 1] === 'all' || words[to - 1] === 'any';
  if (texting.has(found)) return isOfUs(words, to + 1);
  return words[at + 1] === 'sending' && /^(?:me|us|these|this|those|them)$/.test(words[at + 2] ?? '');
}

/** "… me", "… my number", or nothing more: not "… you", "… my wife". */
function isOfUs(words: readonly string[], at: number): boolean {
  const next = words[at];
  if (next === 'my' || next === 'this') return /^(?:number|phone|mobile|cell)$/.test(words[at + 1] ?? '');
  return next === undefined || !/^(?:you|u|him|her|them|the|your|yourself|our|his|their)$/.test(next);
}

/** "don't text me", "I do not want these messages", "never contact me again". */
function wantsNone(words: readonly string[], at: number): boolean {
  const [word, second = ''] = [words[at], words[at + 1]];
  const isNot =
    word === 'dont' || (word === 'do' && second === 'not') || (word === 'no' && second === 'longer');
  if (word === 'never') return contacting.has(second) && words.slice(at + 2, at + 5).includes('again');
  if (!isNot) return false;
  const from = at + (word === 'dont' ? 1 : 2);
  const verb = words[words[from] === 'ever' ? from + 1 : from] ?? '';
  if (contacting.has(verb)) return /^(?:me|us|anymore|again|this|here|please|)$/.test(words[from + 1] ?? '');
  return wishing.has(verb) && severalTexts.has(words[past(words, from + 1)] ?? '');
}

/** "unsubscribe me", "opt me out", "how do I opt out of this". */
function unsubscribes(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  const before = words.slice(Math.max(0, at - 3), at);
  if (before.some((each) => negated.has(each))) return false;
  if (unsubscribe.has(word)) return true;
  if (!/^(?:opt|opted|opting|optout)$/.test(word)) return false;
  const skipped = words[at + 1] === 'me' || words[at + 1] === 'us' ? 2 : words[at + 1] === 'my' ? 3 : 1;
  if (word !== 'optout' && words[at + skipped] !== 'out') return false;
  const next = at + (word === 'optout' ? 1 : skipped + 1);
  const follows = words[next];
  if (follows !== 'of' && follows !== 'from') return true;
  return words
    .slice(next + 1, next + 6)
    .some((each) => ofAList.has(each) || /^(?:this|these|all|it)$/.test(each));
}

/** "remove me from your list", "take my number off", "delete my number". */
function wantsOff(words: readonly string[], at: number): boolean {
  const verb = words[at] ?? '';
  const isRemove = verb === 'remove' || verb === 'delete';
  if (!isRemove && verb !== 'take' && verb !== 'get') return false;
  let next = at + 1;
  if (words[next] === 'me' || words[next] === 'us') next += 1;
  else if (/^(?:my|this|our)$/.test(words[next] ?? '')) {
    const named = /^(?:number|phone|mobile|cell|details|name|info|contact)$/;
    if (!named.test(words[next + 1] ?? '')) return false;
    next += named.test(words[next + 2] ?? '') ? 3 : 2;
  } else return false;
  const to = words[next];
  if (to === undefined || courtesies.has(to)) return isRemove;
  if (!/^(?:off|from|out)$/.test(to)) return false;
  if (words[next + 1] === undefined) return to === 'off';
  return words
    .slice(next + 1, next + 7)
    .some((each, n, all) => ofAList.has(each) && !otherLists.has(all[n - 1] ?? ''));
}
