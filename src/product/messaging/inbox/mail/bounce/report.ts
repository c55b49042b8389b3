/** Parses the machine-readable part of a bounce: message/delivery-status (RFC 3464). */
import { type About, enhancedCodeOf, evidenceOf } from '#platform/gateways/email/smtp-reply.ts';
import { type Bounce, bareAddress, delayed, other } from './bounce.ts';
import { isUnsure, ownLines, type Segment, segmentsOf, statusOf } from './segments.ts';
import { saysGivenUp, verdictOf } from './words.ts';

/** In characters. Our e-mails have one recipient, whose report has a few hundred. */
const lengthAtMost = 50_000;
const valueAtMost = 1_000;
const recipientsAtMost = 20;

type Fields = ReadonlyMap<string, string>;

/**
 * The result for our one recipient. If that address was expanded to several and one of them got the e-mail, it is no permanent
 * failure. `words` is the human-readable part: it has the reason where the report has none. Null: the report names no recipient.
 */
export function bounceOfReport(report: string, words: string): Bounce | null {
  // The first group is about the whole e-mail, but some servers omit it.
  const recipients = groupsOf(report.slice(0, lengthAtMost)).filter(
    (fields) => fields.has('action') || fields.has('status'),
  );
  if (recipients.length === 0) return null;
  const actions = recipients.map(actionOf);
  if (actions.some((action) => /^(?:delivered|relayed|expanded)$/.test(action))) return other;
  const isGivenUp = ownLines(words).some(saysGivenUp);
  const failed = recipients.filter(
    (fields, n) =>
      /^(?:fail\w*|expired)$/.test(actions[n] ?? '') ||
      (actions[n] === 'delayed' && (isGivenUp || saysGivenUp(fields.get('diagnostic-code') ?? ''))),
  );
  if (failed.length > 0) return bounceOf(failed.map((fields) => failureOf(fields, words)));
  return actions.includes('delayed') ? delayed : other;
}

/**
 * The fields in groups: first of the whole e-mail, then of each recipient. A line that begins with a space continues the previous
 * one, and so does the next line of a reply, which nullmailer does not fold.
 */
function groupsOf(text: string): Fields[] {
  const groups: Map<string, string>[] = [];
  let group: Map<string, string> | null = null;
  let last = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, value] = /^([\w-]{1,60})[ \t]*:(.*)$/.exec(line) ?? [];
    if (line.trim() === '') {
      group = null;
    } else if (/^[ \t]/.test(line) || (last === 'diagnostic-code' && /^[45]\d\d[ -]/.test(line))) {
      group?.set(last, `${group.get(last) ?? ''} ${line.trim()}`.slice(0, valueAtMost));
    } else if (name !== undefined && value !== undefined) {
      // Some servers leave out the empty line between two recipients.
      const begins = group?.has('final-recipient') === true && name.toLowerCase() === 'final-recipient';
      if (group === null || begins) {
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

interface Failure {
  readonly why: string;
  readonly about: About | null;
  readonly addresses: readonly string[];
}

const saysNothing = (code: string) => /^(?:[45]\.0\.0)?$/.test(code);

function failureOf(fields: Fields, words: string): Failure {
  const code = enhancedCodeOf(fields.get('status') ?? '') ?? '';
  const addresses = ['original-recipient', 'final-recipient'].flatMap((name) => {
    const address = bareAddress(withoutType(fields.get(name)));
    return address.includes('@') ? [address] : [];
  });
  const given = withoutType(fields.get('diagnostic-code'));
  const { about, reason } = judged(code, given, ofThem(words, addresses));
  const diagnostic = given === '' && (saysNothing(code) || saysGivenUp(reason)) ? reason : given;
  // Exim reports 5.0.0 whatever the diagnostic is.
  const isWhole = saysNothing(code) || diagnostic.includes(code);
  return {
    why: isWhole ? diagnostic || code : [code, diagnostic].filter(Boolean).join(' '),
    about,
    addresses,
  };
}

/**
 * The remote server's own words win over the code that ours gave for them (RFC 3464, 2.3.6 over 2.3.4): the diagnostic, else what
 * the human-readable part says of this recipient. The code alone tells where the server said nothing at all.
 */
function judged(
  code: string,
  given: string,
  segments: readonly Segment[],
): { about: About | null; reason: string } {
  // Hotmail reports its own 5.5.0 as the status alone.
  const text = code === '5.5.0' && enhancedCodeOf(given) === null ? `${code} ${given}` : given;
  const said = given === '' ? null : evidenceOf({ status: statusOf(given), text });
  const isAlone = given === '' && saysNothing(code);
  const read = said === null ? verdictOf(segments.filter(({ isReply }) => isReply || isAlone)) : null;
  const spoke = /(?<![\d.])[45]\d\d(?![\d.])/.test(given);
  const about = said ?? read?.about ?? (spoke ? null : evidenceOf({ status: 0, text: code }));
  const isContradicted = segments.some((each) =>
    each.isReply ? each.isLate && isUnsure(about, given) : each.saysMailboxIsThere,
  );
  return { about: about === 'address' && isContradicted ? 'message' : about, reason: read?.reason ?? '' };
}

/** The segments of the human-readable part that are about these addresses, or about all, or name none. */
function ofThem(words: string, addresses: readonly string[]): Segment[] {
  const segments = segmentsOf(ownLines(words));
  const replies = segments.filter(({ isReply }) => isReply);
  const named = replies.filter((each) => each.addresses.some((one) => addresses.includes(one)));
  return [...(named.length > 0 ? named : replies), ...segments.filter(({ isReply }) => !isReply)];
}

/** An address is gone when all that is said of it says so. */
function bounceOf(failures: readonly Failure[]): Bounce {
  const gone = failures.filter(({ about }) => about === 'address');
  const others = failures.filter(({ about }) => about !== 'address');
  const all = [...new Set(failures.flatMap(({ addresses }) => addresses))];
  const invalid = all.filter((each) => !others.some(({ addresses }) => addresses.includes(each)));
  const isAddressInvalid = gone.length > 0 && (others.length === 0 || invalid.length > 0);
  const [told] = isAddressInvalid ? gone : failures;
  return {
    kind: 'failed',
    why: told?.why ?? '',
    isAddressInvalid,
    recipients: isAddressInvalid ? invalid : all,
  };
}
