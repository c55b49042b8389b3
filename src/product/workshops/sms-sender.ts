/** The sender of an SMS: a number, a short code or a name, as the workshop's country allows. */
import { withoutMarks } from '#base/values/invisible.ts';
import { ownValue } from '#base/values/own-value.ts';
import { numberType, parsePhone } from '#base/values/phone.ts';
import { senderRules } from './sms-sender-rules.ts';
import type { WorkshopSettings } from './store.ts';

const nameLengthAtMost = 11;
const usualShortCodes = [3, 4, 5, 6, 7, 8];
const wayOut =
  'give a number or short code that the SMS gateway has for you, or "" to leave it to the gateway';

export type ReadSender = { readonly sender: string } | { readonly fault: string };

/** The sender as it is stored, a number as E.164; or its fault, in words for people. `country` is a known one. */
export function readSender(typed: string, country: string): ReadSender {
  const text = withoutMarks(typed).trim();
  const shown = JSON.stringify(text.slice(0, 60));
  const rule = ownValue(senderRules, country);
  if (/\p{L}/u.test(text)) {
    const fault = nameFault(text);
    if (fault !== null) return { fault: `${shown} ${fault}` };
    if (rule?.names !== 'refused') return { sender: text };
    return { fault: `${shown} is a name: ${rule.why}; ${wayOut}` };
  }
  const number = parsePhone(text, country);
  if (number !== null) {
    const kind = unfit(number, country);
    return kind === null
      ? { sender: number }
      : { fault: `${shown} is ${kind}, which can't send SMS; ${wayOut}` };
  }
  const lengths = rule?.shortCodes ?? usualShortCodes;
  if (/^\d+$/.test(text) && lengths.includes(text.length)) return { sender: text };
  const digits =
    lengths.length === 1 ? `${lengths[0]}` : `${lengths.slice(0, -1).join(', ')} or ${lengths.at(-1)}`;
  return {
    fault: `${shown} is neither a phone number in ${country}, nor a short code of ${digits} digits, nor a name of 1 to ${nameLengthAtMost} letters and digits`,
  };
}

function nameFault(name: string): string | null {
  const refused = [...new Set(name)].filter((character) => !/[A-Za-z0-9 ]/.test(character));
  if (refused.length > 0) {
    return `has characters that carriers refuse (${refused.join(' ')}): a name has letters from A to Z, digits and spaces`;
  }
  return name.length > nameLengthAtMost
    ? `is ${name.length} characters long: a name has at most ${nameLengthAtMost}`
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

/** Notes about an allowed sender, in sentences; none when the workshop has no sender of its own. */
export function senderNotes(
  workshop: Pick<WorkshopSettings, 'country' | 'smsSender' | 'inboxNotices'>,
): string[] {
  const { country, smsSender, inboxNotices } = workshop;
  if (smsSender === null) return [];
  const rule = ownValue(senderRules, country);
  const of = (text: string) => `${smsSender}: ${text}.`;
  if (/[A-Za-z]/.test(smsSender)) {
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
  if (!smsSender.startsWith('+')) return [];
  const notes = rule?.numbers === undefined ? [] : [of(rule.numbers)];
  if (numberType(smsSender) === 'FIXED_LINE') {
    notes.push(of('SMS come from a landline number only where the SMS gateway has enabled it'));
  }
  return notes;
}
