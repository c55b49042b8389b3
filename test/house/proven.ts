/** House rule: each rule of the specification is cited by a test that proves it, or is on the list of those that are not. */
import { citation, cite, page, parsed, sectionsOf } from './citations.ts';
import { finding, gap, type Rule } from './rule.ts';
import { isTest, type SourceFile } from './source.ts';

const list = 'test/unproven.md';
/** The list only shrinks: whoever takes lines away lowers this. */
const linesAtMost = 5;

/** `Quotes 3`, as the list and the findings name it. */
const named = (heading: string, number: number) => `${heading} ${number}`;

function citedBy(file: SourceFile): string[] {
  return [...file.text.matchAll(citation)].flatMap(([, , inner = '']) =>
    inner
      .replace(new RegExp(gap, 'g'), ' ')
      .split(';')
      .map(parsed)
      .flatMap(({ heading, numbers }) => numbers.map((number) => named(heading, number))),
  );
}

/** A line of the list: `- Quotes 3: why no test proves it`, or `- Quotes 3, a part: what no test proves of it`. */
const line = /^- (.+ \d+)(, a part)?: (.+)$/gm;

const rulesAreProven: Rule = {
  name: 'each rule of docs/specification.md is cited by a test',
  instead: `cite it in the title of the test that would fail without it, as ${cite('Quotes 3')}; ${list} only shrinks`,
  find(files) {
    const specification = files.find(({ path }) => path === page);
    if (specification === undefined) return [];
    const cited = new Set(files.filter(isTest).flatMap(citedBy));
    const unproven = files.find(({ path }) => path === list);
    const listed = [...(unproven?.text ?? '').matchAll(line)].map(({ 1: rule = '', 2: part, index }) => ({
      ...{ rule, index, isPart: part !== undefined },
    }));
    const excused = new Set(listed.flatMap(({ rule, isPart }) => (isPart ? [] : [rule])));
    const rules = sectionsOf(specification.text).flatMap(({ heading, rules, at }) =>
      rules.map((number) => ({ rule: named(heading, number), at })),
    );
    const known = new Set(rules.map(({ rule }) => rule));
    const gaps = rules
      .filter(({ rule }) => !cited.has(rule) && !excused.has(rule))
      .map(({ rule, at }) => finding(specification, at, `no test cites ${rule}`));
    if (unproven === undefined) return gaps;
    const wrong = listed.flatMap(({ rule, index, isPart }) => {
      if (!known.has(rule)) return [finding(unproven, index, `there is no ${rule}`)];
      if (isPart) return [];
      return cited.has(rule)
        ? [finding(unproven, index, `${rule} is cited by a test: take the line away`)]
        : [];
    });
    const tooMany =
      listed.length > linesAtMost ? [finding(unproven, 0, `has more than ${linesAtMost} lines`)] : [];
    return [...gaps, ...wrong, ...tooMany];
  },
  bad: [
    { [page]: '## Quotes\n\n1. One.\n', 'src/a.ts': `/** ${cite('Quotes 1')} */` },
    { [page]: '## Quotes\n\n1. One.\n2. Two.\n', 'src/a.test.ts': `test('x ${cite('Quotes 2')}', run);` },
    { [page]: '## Quotes\n\n1. One.\n', 'src/a.test.ts': `test('x ${cite('Quotes')}', run);` },
    {
      [page]: '## Quotes\n\n1. One.\n',
      [list]: '- Quotes 1: why.\n',
      'src/a.test.ts': `test('x ${cite('Quotes 1')}', run);`,
    },
    { [page]: '## Quotes\n\n1. One.\n', [list]: '- Quotes 1: why.\n- Quotes 2: why.\n' },
    { [page]: '## Quotes\n\n1. One.\n', [list]: '- Quotes 1, a part: what.\n' },
  ],
  good: [
    {
      [page]: '## Quotes\n\n1. One.\n2. Two.\n\n## Call leads\n\n1. One.\n',
      'src/a.test.ts': `test('x ${cite('Quotes 2; Call leads 1')}', run);`,
      [list]: '# Unproven\n\n- Quotes 1: why.\n- Quotes 2, a part: what.\n',
    },
    { 'src/a.test.ts': `test('x ${cite('Quotes 1')}', run);` },
  ],
};

export const provenRules: readonly Rule[] = [rulesAreProven];
