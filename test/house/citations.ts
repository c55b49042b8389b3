/** House rules about citations: what a comment, a test's name or a page refers to is in the repository, where it says. */
import { finding, gap, phrase, type Rule } from './rule.ts';
import type { SourceFile } from './source.ts';

export const page = 'docs/specification.md';

const isProse = ({ path }: SourceFile) => /\.(?:ts|mjs|md|sql|css|html|sh|ya?ml)$/.test(path);

/** Documents that are cited by number, and are not here. Standards have dotted numbers behind their name, and may be cited; so may the section The console. */
const elsewhere = [
  `(?<!\\bThe${gap})\\b(?:[Aa]reas|[Dd]ecisions|[Dd]ocument|[Cc]onsole|[Ss]pecification)(?:['’]s)?,?${gap}(?:sections?${gap})?\\d`,
  `(?<!\\b[A-Z]{2,}\\s[\\d.]+,\\s)\\b[Ss]ections?${gap}\\d+(?![\\d.]*\\.\\d)`,
  `\\b[Rr]ules?${gap}\\d`,
  `\\b(?:checks?|fields?|rules?|4xx)${gap}of${gap}\\d\\.\\d\\b`,
].map((pattern) => new RegExp(pattern, 'g'));

const beginsTest = /\b(?:test|it|describe)\(\s*$/;
/** `2.1: …` and `… (4.1.3)`: numbers of chapters in the name of a test. */
const chapters = /^\d\.\d(?![\w%])|\(\d\.\d(?:\.\d)?[:,)]/g;

/** A page as a text names it, not in a URL: `gateways.md`, `docs/gateways.md`, `../docs/gateways.md`. */
const pageName = /(?<![\w./-])(?:\.{1,2}\/)*((?:[\w-]+\/)*[\w-]+\.md)\b/g;
/** The samples of house rules, and of tests of what handles pages, name pages that nobody has. */
const namesSamples = ({ path }: SourceFile) => path.startsWith('test/house/');

const citedPagesAreHere: Rule = {
  name: 'no citation of a page that is not in the repository',
  instead: 'say the rule itself, or cite docs/specification.md, whose head shows how',
  find: (files) =>
    files.filter(isProse).flatMap((file) => {
      const numbered = elsewhere.flatMap((pattern) =>
        [...file.text.matchAll(pattern)].map((match) => finding(file, match.index, match[0])),
      );
      const inNames = file.literals
        .filter(({ at }) => beginsTest.test(file.code.slice(0, at)))
        .flatMap(({ text, at }) => [...text.matchAll(chapters)].map((match) => finding(file, at, match[0])));
      const absent = [...file.text.matchAll(pageName)]
        .filter(() => !namesSamples(file))
        .filter(([, name]) => !files.some(({ path }) => path === name || path.endsWith(`/${name}`)))
        .map((match) => finding(file, match.index, `${match[0]} is not here`));
      return [...numbered, ...inNames, ...absent];
    }),
  bad: [
    { 'src/a.ts': `/** Wire shapes (${phrase('areas,', 'section', '9')}). */` },
    { 'src/a.ts': `/** Read once (${phrase('decisions,', 'section\n *', '4')}). */` },
    { 'src/a.ts': `/** Sends one SMS (${phrase('document,', '4.4')}). */` },
    { 'src/a.ts': `/** Every ${phrase('check', 'of', '4.4')}, in order. */` },
    { 'src/a.test.ts': `test('${phrase('decisions', '5')}: replays count', run);` },
    { 'src/a.test.ts': `test('${phrase('4.1', 'rule', '3')}: two SMS', run);` },
    { 'src/a.test.ts': `test('${phrase('section', '7')}: 400', run);` },
    { 'src/a.test.ts': `test('${'4.4'}: it answers below /v1 too', run);` },
    { 'src/a.test.ts': `it('created: none (${'4.1.4'})', run);` },
    { 'docs/a.md': `As ${['partner', 'api.md'].join('-')} has it.` },
    { 'src/a.ts': `/** As ../pages/${['areas', 'md'].join('.')} says. */` },
  ],
  good: [
    {
      'docs/gateways.md': 'SMPP 3.4, 4.7.1; 3GPP TS 23.038, section 4; RFC 6750 (its section 3.1).',
      'src/a.ts': '/** The section of decisions; 4.4 s (docs/gateways.md). See https://a.example/b.md. */',
      'src/a.test.ts': "test('1.5s is half of 3', run); const mean = '2.1'; test('TLS 1.3', run);",
    },
  ],
};

export interface Section {
  readonly heading: string;
  /** As the page numbers them. */
  readonly rules: readonly number[];
  readonly at: number;
}

/** The sections of the specification, with the numbers of their rules. */
export function sectionsOf(text: string): Section[] {
  return [...text.matchAll(/^## (.+)$((?:(?!^## )[\s\S])*)/gm)].map((match) => ({
    heading: match[1] ?? '',
    rules: [...(match[2] ?? '').matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)),
    at: match.index,
  }));
}

/** `Quotes 3, 4 and 5` → Quotes, and its numbers; without a number a whole section. */
export function parsed(part: string): { readonly heading: string; readonly numbers: readonly number[] } {
  const [, heading = '', numbers = ''] = /^(.*?)((?: \d+(?:(?:, | and )\d+)*)?)$/.exec(part.trim()) ?? [];
  return { heading, numbers: (numbers.match(/\d+/g) ?? []).map(Number) };
}

export const citation = new RegExp(`(\\(?)\\bspecification:${gap}([^()]*)`, 'g');
/** A citation, put together so that this file has none. */
export const cite = (what: string, between = ' ') => `(${['specification:', what].join(between)})`;

const citedRulesExist: Rule = {
  name: 'a citation of docs/specification.md names rules that stand there',
  instead: `write ${cite('Heading 3')} or ${cite('Heading 3 and 5; Other heading')}, as the head of the page shows`,
  find(files) {
    const specification = files.find(({ path }) => path === page);
    const sections = sectionsOf(specification?.text ?? '');
    const wrongNumbers = sections
      .filter(({ rules }) => rules.length === 0 || rules.some((number, index) => number !== index + 1))
      .map(({ heading, at }) => ({ at, what: `${heading} is not numbered from 1, one by one` }));
    const cited = files.filter(isProse).flatMap((file) =>
      [...file.text.matchAll(citation)].flatMap((match) => {
        const [whole, open, inner = ''] = match;
        const text = inner.replace(new RegExp(gap, 'g'), ' ');
        if (!/^[A-Z]/.test(text)) return [];
        if (open === '' || file.text[match.index + whole.length] !== ')')
          return [finding(file, match.index, 'a citation stands in parentheses')];
        return text
          .split(';')
          .map(parsed)
          .flatMap(({ heading, numbers }) => {
            const section = sections.find((candidate) => candidate.heading === heading);
            if (section === undefined) return [`no section “${heading}”`];
            return numbers
              .filter((number) => !section.rules.includes(number))
              .map((number) => `${heading} has no ${number}`);
          })
          .map((what) => finding(file, match.index, what));
      }),
    );
    return [
      ...(specification ? wrongNumbers.map(({ at, what }) => finding(specification, at, what)) : []),
      ...cited,
    ];
  },
  bad: [
    { [page]: '## Quotes\n\n1. One.\n', 'src/a.ts': `/** Asks ${cite('Quotes 2')}. */` },
    { [page]: '## Quotes\n\n1. One.\n', 'src/a.ts': `/** Asks ${cite('Quotes 1 and 2')}. */` },
    { [page]: '## Quotes\n\n1. One.\n', 'src/a.ts': `/** Asks ${cite('Quotes; Offers 1')}. */` },
    { [page]: '## Quotes\n\n1. One.\n', 'src/a.ts': `/** Asks ${cite('Offers', '\n * ')}. */` },
    {
      [page]: '## Quotes\n\n1. One.\n',
      'src/a.test.ts': `test('${cite('Quotes 1').slice(1, -1)}: asks', run);`,
    },
    { [page]: '## Quotes\n\n1. One.\n3. Three.\n' },
    { 'src/a.ts': `/** Asks ${cite('Quotes')}. */` },
  ],
  good: [
    {
      [page]: '## Quotes\n\nMore.\n\n1. One.\n2. Two.\n3. Three.\n\n## Call leads\n\n1. One.\n',
      'src/a.ts': `/** ${cite('Quotes 1, 2 and 3;\n * Call leads 1')} and ${cite('Call leads')}. */`,
      'docs/a.md': 'This is in the specification: nothing else is.',
    },
  ],
};

export const citationRules: readonly Rule[] = [citedPagesAreHere, citedRulesExist];
