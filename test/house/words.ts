/** House rules about words: terms that engineers search for, in comments, names of tests, messages and pages. */
import { finding, gap, phrase, type Rule } from './rule.ts';
import type { SourceFile } from './source.ts';

/** A phrase that only this project's authors would understand, and the field's term for it. */
const privateWords: readonly (readonly [string, string])[] = [
  [phrase('nobody', 'can', 'say'), 'unknown'],
  [phrase('in', 'doubt'), 'with an unknown outcome'],
  [phrase('told', 'of'), 'notified, reported'],
  [phrase('told', 'twice'), 'notified twice, at least once'],
  [phrase('no', 'touch'), 'was not handed over'],
  [phrase('put', 'back'), 'deferred'],
  [phrase('belongs?', 'nowhere'), 'unmatched'],
  [phrase('behind', "everyone['’]s", 'back'), 'without a record'],
  [phrase('of', 'before'), 'earlier, old'],
  [phrase('told', 'so'), 'gets the error'],
  [phrase('those', 'who', '(?:look|watch|wait)'), 'watchers, tests, waiting requests'],
  ['hee' + 'ded', 'applied'],
];

/** Texts that change: not what has landed, nor the page of changes, which quotes old words. */
const isWritten = ({ path }: SourceFile) =>
  /\.(?:ts|mjs|md)$/.test(path) && path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/');

const fieldTerms: Rule = {
  name: "the field's terms, not private words",
  instead: 'write what the finding names, or another term of docs/vocabulary.md',
  find: (files) =>
    files
      .filter(isWritten)
      .flatMap((file) =>
        privateWords.flatMap(([words, term]) =>
          [...file.text.matchAll(new RegExp(`\\b${words.replaceAll(' ', gap)}\\b`, 'gi'))].map((match) =>
            finding(file, match.index, `“${match[0].replace(new RegExp(gap, 'g'), ' ')}”: say “${term}”`),
          ),
        ),
      ),
  bad: [
    { 'src/a.ts': `/** What ${phrase('nobody', 'can', 'say')}. */` },
    { 'src/a.test.ts': `test('an attempt ${phrase('in', 'doubt')}', run);` },
    { 'src/a.ts': `/**\n * A change that is ${phrase('told', '\n *', 'of')} once.\n */` },
    { 'docs/a.md': `An SMS that ${phrase('belongs', 'nowhere')}.` },
  ],
  good: [
    {
      'src/a.ts': '/** The outcome is unknown: the gateway is told when. */',
      'docs/a.md': '**It is told** of it.',
    },
  ],
};

const number = /\b(?:issue|ticket)\s*#?\d+/gi;

const noIssues: Rule = {
  name: 'no issue by its number',
  instead: 'say the rule itself; the history of the repository knows the issue',
  find: (files) =>
    files
      .filter(({ path }) => /\.(?:ts|mjs|md|sql)$/.test(path))
      .flatMap((file) =>
        [...file.text.matchAll(number)].map((match) => finding(file, match.index, match[0])),
      ),
  bad: [
    { 'src/a.test.ts': `test('${phrase('issue', '3')}, item 2: one SMS', run);` },
    { 'docs/a.md': `See ${phrase('Issue', '#12')}.` },
  ],
  good: [{ 'docs/a.md': 'A bug is an issue; error 60001 is not.' }],
};

export const wordRules: readonly Rule[] = [fieldTerms, noIssues];
