/** Forms of lines of a reply, whatever its language. Each test looks once at each character. */
import { visible } from '#base/values/bidi.ts';
import type { SentMail } from './sent-mail.ts';

export interface Line {
  /** As it was written. */
  readonly raw: string;
  /** Without quotation marks, stars, and what nobody sees, in lower case. */
  readonly bare: string;
  readonly isQuoted: boolean;
}

const leading = /^[\s>|*]+/;

export const linesOf = (text: string): Line[] =>
  text.split('\n').map((raw) => {
    const seen = visible(raw);
    return { raw, bare: seen.replace(leading, '').trim().toLowerCase(), isQuoted: /^\s*>/.test(seen) };
  });

export const isBlank = ({ bare }: Line): boolean => bare === '';

/** `From: Garage`, `*Objet :* 1 new answer…`, `件名：…`, `Subject` alone. */
const header = /^\p{L}[\p{L}\p{M} .'-]{0,24}\*?\s?[:：]/u;
export const isHeader = (line: Line): boolean => header.test(line.bare) && !beginsInAddress(line);

/** `----`, `_____`, `-----Original Message-----`, `---- On …, Garage wrote ----`. */
const rule = /^(?:[-_=~*–—]\s?){2,}$|^[-_=~*–—]\s?[-_=~*–—].*[-_=~*–—]{2}$/u;
/** `Begin forwarded message:` and its like stand between two rules. */
export const isRule = ({ bare }: Line): boolean => bare.length < 200 && rule.test(bare);

/** `From:` in a cell of a table, in the languages of mail programs; the value stands below it. */
const labelsOfSender = new Set(
  'from|von|de|da|van|fra|från|lähettäjä|od|kimden|gönderen|feladó|от|от кого|від|από|من|מאת|发件人|寄件者|寄件人|差出人|보낸 사람|từ|người gửi|จาก|प्रेषक|से'.split(
    '|',
  ),
);
export const isLabelOfSender = ({ bare }: Line): boolean =>
  /[:：]$/.test(bare) && labelsOfSender.has(bare.slice(0, -1).trim());

const colonAtEnd = /[:：](?:[^\p{L}\p{Nd}]{0,8})$/u;
/** Where the line above a quotation ends: `wrote:`, `写道：`, `napisał(a):`. */
export const endsInColon = ({ bare }: Line): boolean => colonAtEnd.test(bare);

const year = /\p{Nd}{4}/u;
const day = /\p{Nd}{1,4}[./-]\p{Nd}{1,2}[./-]\p{Nd}{1,4}/u;
const timeOfDay = /\p{Nd}{1,2}\s?[:.h٫]\s?\p{Nd}{2}/u;
export const isDated = ({ bare }: Line): boolean => year.test(bare) || day.test(bare) || timeOfDay.test(bare);

const moment = /(?<!\p{Nd})(?:19|20|25)\p{Nd}{2}(?!\p{Nd})|\p{Nd}{1,2}:\p{Nd}{2}|年/u;
/** As `isDated`, but no phone number is. */
export const hasMoment = ({ bare }: Line): boolean => moment.test(bare);

/** A date and nothing else: more digits than letters. */
export const isDateAlone = (line: Line): boolean =>
  isDated(line) && (line.bare.match(/\p{Nd}/gu)?.length ?? 0) > (line.bare.match(/\p{L}/gu)?.length ?? 0);

/** `<noreply@…`, `(mailto:…`: no line of people begins so, it goes on from the one above. */
export const beginsInAddress = ({ bare }: Line): boolean => /^(?:[<([]|mailto:)/.test(bare);

const address = /[^\s<>()[\]@]@[^\s<>()[\]@]/;
/** It names somebody whom the e-mail was from, or to. */
export function names({ bare }: Line, { senders, recipients, names: known }: SentMail): boolean {
  const told = [...senders, ...recipients];
  return told.some((each) => bare.includes(each)) || isNamed(bare, known);
}

/** As lines of a header are; a paragraph of people's goes on. */
export const isShort = ({ bare }: Line): boolean => bare.length < 100;

export const hasAddress = ({ bare }: Line): boolean => address.test(bare);

/** Shorter names stand in other words. */
const nameAtLeast = 3;
const isNamed = (bare: string, known: readonly string[]) =>
  known.some((name) => name.length >= nameAtLeast && bare.includes(name.toLowerCase()));
