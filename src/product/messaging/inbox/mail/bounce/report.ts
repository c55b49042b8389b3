/** Reads the machine's part of a bounce: message/delivery-status (RFC 3464). */
import { aboutOf, enhancedCodeOf } from '#platform/gateways/email/smtp-reply.ts';
import { type Bounce, bareAddress, delayed, other } from './bounce.ts';
import { lineBelowRecipient, reasonIn } from './words.ts';

/** Characters: of one recipient, which is all that our e-mails have, a report has a few hundred. */
const lengthAtMost = 50_000;
const valueAtMost = 1_000;
const recipientsAtMost = 20;

type Fields = ReadonlyMap<string, string>;

/**
 * What the report says of our one recipient. Where that became several, nothing failed for good that reached one of them. `words` is the
 * part for people: of what Exim itself can't deliver, only that says why.
 */
export function bounceOfReport(report: string, words: string): Bounce {
  // The first group is about the whole e-mail, but some servers leave it out.
  const recipients = groupsOf(report.slice(0, lengthAtMost)).filter(
    (fields) => fields.has('action') || fields.has('status'),
  );
  const actions = recipients.map(actionOf);
  if (actions.some((action) => /^(?:delivered|relayed|expanded)$/.test(action))) return other;
  const failed = recipients[actions.indexOf('failed')];
  if (failed !== undefined) return failureOf(failed, words);
  return actions.includes('delayed') ? delayed : other;
}

/** Fields in groups: of the whole e-mail first, then of each recipient. A line that begins with a space goes on with the one before. */
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

/** A status of its own says it where the action is missing. */
function actionOf(fields: Fields): string {
  const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0].toLowerCase();
  if (action !== undefined) return action;
  const status = fields.get('status') ?? '';
  return status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'delayed' : '';
}

/** `type; value`, as these fields have it. */
const withoutType = (field: string | undefined) => (field ?? '').replace(/^[\w-]{1,40}[ \t]*;/, '').trim();

function failureOf(fields: Fields, words: string): Bounce {
  const code = enhancedCodeOf(fields.get('status') ?? '') ?? '';
  const saysNothing = /^(?:[45]\.0\.0)?$/.test(code);
  const given = withoutType(fields.get('diagnostic-code'));
  const diagnostic =
    given === '' && saysNothing ? (reasonIn(words) ?? lineBelowRecipient(words) ?? '') : given;
  const status = Number(/(?<![\d.])[45]\d\d(?![\d.])/.exec(diagnostic)?.[0] ?? `${code[0] ?? 5}00`);
  // Exim gives 5.0.0 whatever the diagnostic says.
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
