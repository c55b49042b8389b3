/** What sisimai's own tests (sisimai/p5-sisimai) expect of the mails of its public corpus (sisimai/set-of-emails). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Expected {
  /** The mail, without `.eml`: `lhost-postfix-01`. */
  readonly mail: string;
  /** The reason of each recipient, such as `userunknown`; `feedback` of a complaint, `vacation` of an automatic answer. */
  readonly reasons: readonly string[];
}

/** Tests of one program or host each, three digits first; their mails are named like them, without leading zeros. */
const ofMails = /^\d{3}-(?:(lhost|rhost)-|arf|rfc\d+)/;
const line = /^ +'(\d+)' +=> +\[/;
const reason = /\['[\d.]*' *, *'\d*' *, *'([a-z]+)'/g;

/** Without the mails that the tests leave out, since sisimai reads them in no way; `folder` is a checkout of sisimai/p5-sisimai. */
export function expectedIn(folder: string): Expected[] {
  const tests = join(folder, 't');
  const [, list = ''] =
    /'public' +=> \[([^\]]*)\]/.exec(readFileSync(join(tests, '600-lhost-code'), 'utf8')) ?? [];
  const leftOut = new Set(list.match(/[\w-]+/g));
  return readdirSync(tests)
    .sort()
    .flatMap((file) => {
      const [, of] = ofMails.exec(file) ?? [];
      return ofMails.test(file) ? expectedOf(readFileSync(join(tests, file), 'utf8'), of) : [];
    })
    .filter(({ mail }) => !leftOut.has(mail));
}

function expectedOf(test: string, of: string | undefined): Expected[] {
  const name = /\$enginename = '(\w+)'/.exec(test)?.[1]?.toLowerCase() ?? '';
  const found: { mail: string; reasons: string[] }[] = [];
  for (const each of test.split('\n')) {
    const number = line.exec(each)?.[1];
    if (number !== undefined) {
      const mail = [...(of === undefined ? [] : [of]), name, String(Number(number)).padStart(2, '0')];
      found.push({ mail: mail.join('-'), reasons: [] });
    }
    found.at(-1)?.reasons.push(...[...each.matchAll(reason)].map(([, given = '']) => given));
  }
  return found;
}

/** Whether a server's text says that the user is unknown, by sisimai's own phrases; two with a gap may have at most 100 characters between. */
export function unknownUserIn(folder: string): (text: string) => boolean {
  const gapAtMost = 100;
  const module = readFileSync(join(folder, 'lib/Sisimai/Reason/UserUnknown.pm'), 'utf8');
  const [phrases = [], gapped = []] = ['index', 'pairs'].map((list) => {
    const [, body = ''] = new RegExp(`\\$${list} = \\[(.*?)\\n    \\];`, 's').exec(module) ?? [];
    return [...body.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)].map(([, single, double]) => single ?? double ?? '');
  });
  const pairs = gapped.flatMap((end, n) => (n % 2 === 1 ? [[gapped[n - 1] ?? '', end] as const] : []));
  return (given) => {
    const text = given.toLowerCase().replace(/\s+/g, ' ');
    return (
      phrases.some((phrase) => text.includes(phrase)) ||
      pairs.some(([start, end]) => {
        const at = text.indexOf(start);
        const next = text.indexOf(end, at + start.length);
        return at >= 0 && next >= 0 && next - at < start.length + gapAtMost;
      })
    );
  };
}
