/** The search terms of customers, in the one form in which they are stored and searched. */

import { readCode } from '#base/values/code.ts';
import { ownValue } from '#base/values/own-value.ts';
import { phoneIn } from '#base/values/phone.ts';

/** `phoneEnd` is a phone reversed: its prefix is the end of the number. */
export const termKinds = ['name', 'rego', 'code', 'phone', 'phoneEnd', 'email'] as const;
export type TermKind = (typeof termKinds)[number];

export interface Term {
  readonly kind: TermKind;
  readonly term: string;
}

export interface Searched {
  /** Full names, and a company. */
  readonly names: readonly string[];
  readonly regos: readonly string[];
  readonly codes: readonly string[];
  /** E.164. */
  readonly phones: readonly string[];
  readonly emails: readonly string[];
  /** The workshop's; ISO 3166. */
  readonly country: string;
}

/** Longer words are cut to this length. */
const lengthAtMost = 64;
/** For each customer and kind. */
const termsAtMost = 1_000;

/** Letters whose plain form can't be derived by removing an accent. */
const plain: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ς: 'σ' },
};

/** Lower-case letters without accents; apostrophes are removed, since O'Brien is typed with or without. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}'’‘ʼ`´]/gu, '')
    .replace(/[ßæœøłđðþıħς]/g, (letter) => ownValue(plain, letter) ?? letter);
}

const cut = (word: string) => Array.from(word).slice(0, lengthAtMost).join('');

/** The words of a text: letters and digits, with anything else as separator. */
export const wordsOf = (text: string): string[] => (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(cut);

/** The whole text as one word: a registration, a code. */
export const wholeOf = (text: string): string => cut(folded(text).replace(/[^\p{L}\p{N}]/gu, ''));

/** An address or the prefix of one. */
export const emailOf = (text: string): string =>
  cut(
    text
      .trim()
      .toLowerCase()
      .replace(/[\p{C}\s]/gu, ''),
  );

/** The form of a booking's code, as stored or as somebody wrote it. */
export const codeOf = (word: string): string => wholeOf(readCode(word));

export const backwards = (word: string): string => Array.from(word).reverse().join('');

/** `abc123` and `123`: the parts after a change between letters and digits, so that `ABC 123` matches as two words. */
function regoWords(rego: string): string[] {
  const whole = wholeOf(rego);
  const parts = [...whole.matchAll(/(?<=\p{N})\p{L}|(?<=\p{L})\p{N}/gu)].map(({ index }) =>
    whole.slice(index),
  );
  return [whole, ...parts];
}

function phoneWords(phone: string, country: string): Term[] {
  const digits = (text: string) => text.replace(/\D/g, '');
  const international = digits(phone);
  return [
    { kind: 'phone', term: international },
    { kind: 'phone', term: digits(phoneIn(country, phone)) },
    { kind: 'phoneEnd', term: backwards(international) },
  ];
}

/** The terms of a customer, each once. A name that equals the phone, as of a customer who has only texted, is left out. */
export function termsOf({ names, regos, codes, phones: given, emails, country }: Searched): Term[] {
  const of = (kind: TermKind, words: readonly string[]): Term[] =>
    [...new Set(words)]
      .filter((term) => term !== '')
      .slice(0, termsAtMost)
      .map((term) => ({ kind, term }));
  const spoken = names.filter((name) => !given.includes(name)).join(' ');
  const phones = given.flatMap((phone) => phoneWords(phone, country));
  const ofPhone = (kind: TermKind) =>
    of(
      kind,
      phones.filter((each) => each.kind === kind).map(({ term }) => term),
    );
  return [
    ...of('name', wordsOf(spoken)),
    ...of('rego', regos.flatMap(regoWords)),
    ...of('code', codes.map(codeOf)),
    ...ofPhone('phone'),
    ...ofPhone('phoneEnd'),
    ...of('email', emails.map(emailOf)),
  ];
}
