/** The text part of an e-mail: lines of at most 76 characters, except for longer words. */
import { isolated } from '#base/values/bidi.ts';
import { type EmailContent, plain } from './email-content.ts';

const lineLength = 76;
/** Replaces the spaces of a phone while lines are wrapped, so that no phone is split over two lines. */
const joint = '\u00a0';

export function textOf({
  topLine = '',
  body,
  actions = [],
  facts,
  quotes,
  phones,
  closing,
  footer,
}: EmailContent): string {
  const blocks = [
    lines(topLine),
    lines(body),
    ...actions.map(({ label, url }) => lines(`${label}: ${url}`)),
    facts.map(([label, value]) => lines(`${label}: ${isolated(plain(value).trim())}`, '  ')).join('\n'),
    ...quotes.map(([writer, words, replyTo]) =>
      [lines(`${writer}:`), lines(words), replyTo ? `Reply to: ${replyTo}` : ''].filter(Boolean).join('\n'),
    ),
    lines(closing),
    lines(footer),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;

  /** Indents every line but the first. */
  function lines(text: string, indent = ''): string {
    const [first = '', ...further] = joined(plain(text)).trim().split('\n').flatMap(wrapped);
    return [first, ...further.map((line) => (line === '' ? '' : `${indent}${line}`))]
      .join('\n')
      .replaceAll(joint, ' ');
  }

  function joined(text: string): string {
    let whole = text;
    for (const phone of phones.keys()) whole = whole.replaceAll(phone, phone.replaceAll(' ', joint));
    return whole;
  }
}

/** Puts a link on its own line, so that no mail program takes following words as part of it. */
function wrapped(line: string): string[] {
  const all: string[] = [''];
  let isFresh = true;
  for (const word of line.split(' ').filter(Boolean)) {
    const last = all.at(-1) ?? '';
    const isLink = /^https?:\/\//i.test(word);
    const fits = [...last].length + 1 + [...word].length < lineLength;
    if (last === '') all[all.length - 1] = word;
    else if (fits && isFresh && !isLink) all[all.length - 1] = `${last} ${word}`;
    else all.push(word);
    isFresh = !isLink;
  }
  return all;
}
