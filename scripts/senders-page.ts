/** The table of senders by country in docs/operations/messages.md, made from src/base/values/sms-sender-rules.ts. */
import { type NameRule, type SenderRule, senderRules } from '#base/values/sms-sender-rules.ts';

const marks = {
  begin: '<!-- Senders: made from src/base/values/sms-sender-rules.ts by `npm run mirrors` -->',
  end: '<!-- End of the senders -->',
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (text: string | undefined) => (text === undefined ? '' : ` ${capital(text)}.`);

const kinds = { allowed: 'Allowed.', registered: 'Must be registered.', refused: 'Refused.' } as const;

function formOf({ atLeast = 1, characters, notAtEnds, generic, never }: NameRule): string {
  const parts = [
    `${atLeast} to 11 characters of ${characters === 'ascii' ? 'ASCII 32 to 126' : 'letters, digits, space and `& - . _`'}`,
    ...(notAtEnds === undefined ? [] : ['no space or underscore at either end']),
    ...(generic === undefined ? [] : [`not of words such as “${generic.slice(0, 4).join('”, “')}” alone`]),
    ...(never === undefined ? [] : [`nowhere “${never.join('”, “')}”`]),
  ];
  return ` ${capital(parts.join(', '))}.`;
}

function codesOf({ shortCodes = [], shortCodesBegin, shortCodeNote }: SenderRule): string {
  const digits = shortCodes.length === 0 ? '3 to 8 digits' : `${shortCodes.join(', ')} digits`;
  const begin = shortCodesBegin === undefined ? '' : `, beginning with ${[...shortCodesBegin].join(', ')}`;
  return `${digits}${begin}.${sentence(shortCodeNote)}`;
}

function rowOf([country, rule]: readonly [string, SenderRule]): string {
  const { names, why, name, numbers, noForeignNumbers, lookedUp, sources } = rule;
  const cells = [
    country,
    `${kinds[names]}${sentence(why)}${names === 'refused' ? '' : formOf(name ?? {})}`,
    codesOf(rule),
    `${sentence(numbers)}${sentence(noForeignNumbers?.why)}`.trim() || 'As the gateway has them.',
    lookedUp,
    sources.join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function table(): string {
  return [
    '| Country | Names | Short codes | Numbers | Looked up | Source |',
    '|---|---|---|---|---|---|',
    ...Object.entries(senderRules).map(rowOf),
  ].join('\n');
}

/** docs/operations/messages.md with its table of senders made again. Throws when the page lacks a place for it. */
export function withSenders(page: string): string {
  const [before, rest] = page.split(`${marks.begin}\n`);
  const after = rest?.split(marks.end)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/operations/messages.md has no place for the senders');
  return `${before}${marks.begin}\n\n${table()}\n\n${marks.end}${after}`;
}
