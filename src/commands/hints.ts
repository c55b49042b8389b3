/** Adds hints to the refusals of domains: commands and options that help. */

import type { FaultCode, FieldFault, Noun, OperatorError, Refusal } from '#base/operator-error.ts';
import { Problem } from '#errors.ts';

/** The command that lists the existing ones; `<of>`: those of this one. */
const listing: Readonly<Record<Noun, string>> = {
  'app key': 'partner show <of>',
  attachment: 'inbox show',
  automation: 'automation list',
  blast: 'blast list',
  block: 'booking blocks',
  booking: 'booking list',
  conversation: 'inbox list',
  customer: 'customer list',
  'dead letter': 'dead-letter list',
  lead: 'lead list',
  message: 'message list',
  partner: 'partner list',
  person: 'person list',
  quote: 'quote list',
  reminder: 'reminder list',
  template: 'template list',
  version: 'template versions <of>',
  'webhook endpoint': 'webhook list',
  workshop: 'workshop list',
};

const shows = (what: Noun, of = '') => ` (pitlane ${listing[what].replace('<of>', of).trimEnd()} shows them)`;

function hintOf(refusal: Refusal): string {
  switch (refusal.code) {
    case 'notFound':
      return shows(refusal.what);
    case 'notOf':
      return shows(refusal.what, refusal.of.id);
    case 'noConversation':
      return `: pitlane message send ${'booking' in refusal ? `--booking ${refusal.booking}` : `--phone ${refusal.phone}`} begins one`;
    case 'noWorkshop':
      return unmatchedHint;
  }
}

const unmatchedHint =
  ' (pitlane inbox unmatched shows it, pitlane workshop set --sms-sender sets the number)';

/** A refusal in the words of the command line. */
export function refusalLine(error: OperatorError | Problem): string {
  if (!(error instanceof Problem))
    return error.message + (error.refusal === null ? '' : hintOf(error.refusal));
  // Only the commands that book or move can be refused for a time.
  return (
    error.message +
    (error.errorCode === '060003' ? '; --anyway books it all the same, with the reason behind it' : '')
  );
}

/** The explanation of a dead letter, by its reason. */
export const deadLetterHints: Readonly<Record<string, string>> = { noWorkshop: unmatchedHint };

/** The whole message, in place of the domain's. */
const faults: Readonly<Record<FaultCode, string>> = {
  dayAndPeriod: 'stands in place of --from and --to',
  doubledTime: 'comes twice that day, as clocks go back: put first or second behind it',
  needsBooking: 'needs a booking: name one with --booking',
  needsWorkshop: 'is looked for in one workshop: name it with --workshop',
  notRendered: "can't be rendered: pitlane template preview shows why",
  skippedTime: 'is skipped that day, as clocks go forward',
  templateDraft: 'is a draft: publish it with pitlane template publish',
  templateUnknown: `is not a template of this workshop${shows('template')}`,
  templateUnpublished: `is not a published inbox template of this workshop${shows('template')}`,
};

/** Those that have a message here. */
export const faultCodes = Object.keys(faults) as FaultCode[];

/** `notifyPhones` → `--notify-phones`, and the message by its code. */
export function faultOf({ field, message, code }: FieldFault): { field: string; message: string } {
  const option = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return { field: option, message: code === undefined ? message : faults[code] };
}
