/** The sender of an SMS: a number, a short code or a name, as a country allows; of a workshop, or a gateway's own. */
import { withoutMarks } from './invisible.ts';
import { ownValue } from './own-value.ts';
import { numberType, parsePhone } from './phone.ts';
import { isSenderName, isShortCode } from './sms-sender-form.ts';
import { type NameRule, type SenderRule, senderRules } from './sms-sender-rules.ts';

const nameLengthAtMost = 11;
const usualShortCodes = [3, 4, 5, 6, 7, 8];
const wayOut =
  'give a number or short code that the SMS gateway has for you, or "" to leave it to the gateway';

export type ReadSender = { readonly sender: string } | { readonly fault: string };

/** Returns the rule of a country's senders; undefined: none is known. `country`: ISO 3166. */
export const senderRuleOf = (country: string): SenderRule | undefined => ownValue(senderRules, country);

/** The sender as it is stored, a number as E.164; or its fault, in words for people. `country` is a known one. */
export function readSender(typed: string, country: string): ReadSender {
  const text = withoutMarks(typed).trim();
  const shown = JSON.stringify(text.slice(0, 60));
  const rule = senderRuleOf(country);
  if (isSenderName(text)) {
    const fault = nameFault(text, rule?.name ?? {});
    if (fault !== null) return { fault: `${shown} ${fault}` };
    if (rule?.names !== 'refused') return { sender: text };
    return { fault: `${shown} is a name: ${rule.why}; ${wayOut}` };
  }
  const number = parsePhone(text, country);
  if (number !== null) return readNumber(number, country, shown, rule);
  const lengths = rule?.shortCodes ?? usualShortCodes;
  const begin = rule?.shortCodesBegin;
  const begins = begin === undefined || begin.includes(text.charAt(0));
  if (isShortCode(text) && lengths.includes(text.length) && begins) return { sender: text };
  const beginning = begin === undefined ? '' : ` that begins with ${either([...begin])}`;
  return {
    fault: `${shown} is neither a phone number in ${country}, nor a short code of ${either(lengths)} digits${beginning}, nor a name of ${rule?.name?.atLeast ?? 1} to ${nameLengthAtMost} characters with a letter`,
  };
}

/** `5, 6 or 8` */
function either(all: readonly (string | number)[]): string {
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

function readNumber(
  number: string,
  country: string,
  shown: string,
  rule: SenderRule | undefined,
): ReadSender {
  const kind = unfit(number, country);
  if (kind !== null) return { fault: `${shown} is ${kind}, which can't send SMS; ${wayOut}` };
  const { own, why } = rule?.noForeignNumbers ?? { own: '', why: '' };
  return number.startsWith(own)
    ? { sender: number }
    : { fault: `${shown} is a number of another country: ${why}; ${wayOut}` };
}

const characters = {
  usual: { refused: /[^A-Za-z0-9 &._-]/, words: 'letters from A to Z, digits, spaces and & - . _' },
  ascii: { refused: /[^\x20-\x7e]/, words: 'letters from A to Z, digits, spaces and signs of ASCII' },
} as const;

function nameFault(name: string, rule: NameRule): string | null {
  const { atLeast = 1, notAtEnds = '', generic = [], never = [] } = rule;
  const allowed = characters[rule.characters ?? 'usual'];
  const refused = [...new Set(name)].filter((character) => allowed.refused.test(character));
  if (refused.length > 0)
    return `has characters that carriers refuse (${refused.join(' ')}): a name has ${allowed.words}`;
  if (name.length > nameLengthAtMost)
    return `is ${name.length} characters long: a name has at most ${nameLengthAtMost}`;
  if (name.length < atLeast) return `is too short: a name has at least ${atLeast} characters`;
  if ([name.at(0), name.at(-1)].some((end) => notAtEnds.includes(`${end}`)))
    return 'begins or ends with a space or an underscore, which the register refuses';
  const plain = name.toLowerCase();
  const word = never.find((each) => plain.includes(each));
  if (word !== undefined) return `has “${word}” in it, which the register refuses`;
  const words = plain.split(/[ &._]/).filter(Boolean);
  return generic.includes(plain) || words.every((each) => generic.includes(each))
    ? 'consists of words that stand for no business, which networks refuse: put the name of the business into it'
    : null;
}

/** The kinds of numbers that no network sends SMS from; null for other numbers. */
function unfit(number: string, country: string): string | null {
  switch (numberType(number)) {
    case 'PREMIUM_RATE':
      return 'a premium-rate number';
    case 'SHARED_COST':
      return 'a shared-cost number';
    case 'PAGER':
      return 'a pager';
    case 'VOICEMAIL':
      return 'a voicemail number';
    case 'TOLL_FREE':
      // In these countries toll-free numbers are rented for SMS.
      return ['US', 'CA', 'PR'].includes(country) ? null : 'a toll-free number';
    default:
      return null;
  }
}

export interface NotedSender {
  /** ISO 3166. */
  readonly country: string;
  readonly smsSender: string | null;
  readonly inboxNotices: string;
}

/** Notes about an allowed sender, in sentences; none when the workshop has no sender of its own. */
export function senderNotes({ country, smsSender, inboxNotices }: NotedSender): string[] {
  if (smsSender === null) return [];
  const rule = senderRuleOf(country);
  const of = (text: string) => `${smsSender}: ${text}.`;
  if (isSenderName(smsSender)) {
    const notes = [];
    if (rule === undefined) {
      notes.push(
        of(`ask the SMS gateway whether names as senders are allowed in ${country}, and must be registered`),
      );
    } else if (rule.why !== undefined) notes.push(of(rule.why));
    if (inboxNotices !== 'off') {
      notes.push(
        of(
          "customers can't answer a name, not even with STOP: the inbox hears nothing. They can answer a number",
        ),
      );
    }
    return notes;
  }
  if (isShortCode(smsSender)) return rule?.shortCodeNote === undefined ? [] : [of(rule.shortCodeNote)];
  const notes = rule?.numbers === undefined ? [] : [of(rule.numbers)];
  if (numberType(smsSender) === 'FIXED_LINE') {
    notes.push(of('SMS come from a landline number only where the SMS gateway has enabled it'));
  }
  return notes;
}
