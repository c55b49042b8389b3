/** Parses the machine-readable part of a bounce: message/delivery-status (RFC 3464). */
import { aboutOf, enhancedCodeOf } from '#platform/gateways/email/smtp-reply.ts';
import { type Bounce, bareAddress, delayed, other } from './bounce.ts';
import { lineBelowRecipient, reasonIn } from './words.ts';

/** In characters. Our e-mails have one recipient, whose report has a few hundred. */
const lengthAtMost = 50_000;
const valueAtMost = 1_000;
const recipientsAtMost = 20;

type Fields = ReadonlyMap<string, string>;

/**
 * The result for our one recipient. If that address was expanded to several and one of them got the e-mail, it is no permanent
 * failure. `words` is the human-readable part: for failures of Exim itself only that part has the reason.
 */
export function bounceOfReport(report: string, words: string): Bounce {
  // The first group is about the whole e-mail, but some servers omit it.
  const recipients = groupsOf(report.slice(0, lengthAtMost)).filter(
    (fields) => fields.has('action') || fields.has('status'),
  );
  const actions = recipients.map(actionOf);
  if (actions.some((action) => /^(?:delivered|relayed|expanded)$/.test(action))) return other;
  const failed = recipients[actions.indexOf('failed')];
  if (failed !== undefined) return failureOf(failed, words);
  return actions.includes('delayed') ? delayed : other;
}

/**
 * The fields in groups: first of the whole e-mail, then of each recipient. A line that begins with a space continues the previous
 * one.
 */
function groupsOf(text: string): Fields[] {
  const groups: Map<string, string>[] = [];
  let group: Map<string, string> | null = null;
  let last = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, value] = /^([\w-]{1,60})[ \t]*:(.*)$/.exec(line) ?? [];
    if (line.trim() === '') {
      group = null;
    } else if (/^[ \t]/.test(line)) {
      group?.set(last, `${group.get(last) ?? ''} ${line.trim()}`.slice(0, valueAtMost));
    } else if (name !== undefined && value !== undefined) {
      if (group === null) {
        if (groups.length > recipientsAtMost) break;
        group = new Map();
        groups.push(group);
      }
      last = name.toLowerCase();
      group.set(last, value.trim().slice(0, valueAtMost));
    }
  }
  return groups;
}

/** When the action is missing, the class of the status code decides. */
function actionOf(fields: Fields): string {
  const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0].toLowerCase();
  if (action !== undefined) return action;
  const status = fields.get('status') ?? '';
  return status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'delayed' : '';
}

/** The value of a field in the form `type; value`. */
const withoutType = (field: string | undefined) => (field ?? '').replace(/^[\w-]{1,40}[ \t]*;/, '').trim();

function failureOf(fields: Fields, words: string): Bounce {
  const code = enhancedCodeOf(fields.get('status') ?? '') ?? '';
  const saysNothing = /^(?:[45]\.0\.0)?$/.test(code);
  const given = withoutType(fields.get('diagnostic-code'));
  const diagnostic =
    given === '' && saysNothing ? (reasonIn(words) ?? lineBelowRecipient(words) ?? '') : given;
  const status = Number(/(?<![\d.])[45]\d\d(?![\d.])/.exec(diagnostic)?.[0] ?? `${code[0] ?? 5}00`);
  // Exim reports 5.0.0 whatever the diagnostic is.
  const text = [saysNothing ? '' : code, diagnostic].filter((part) => part !== '').join(' ');
  return {
    kind: 'failed',
    why: saysNothing || diagnostic.includes(code) ? diagnostic || code : text,
    isAddressInvalid: aboutOf({ status, text }) === 'address',
    recipients: [
      ...new Set(
        ['original-recipient', 'final-recipient'].flatMap((name) => {
          const address = bareAddress(withoutType(fields.get(name)));
          return address.includes('@') ? [address] : [];
        }),
      ),
    ],
  };
}
