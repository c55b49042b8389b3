/** House rules about every tracked file, code or not. */
import { finding, matches, type Rule } from './rule.ts';

// The patterns are put together here so that this file does not hold what it looks for.
const folders = ['wo' + 'rk', 'fa' + 'rm', 'ro' + 'ot'].join('|');
const hosts = [
  ['registry', 'npmjs'],
  ['registry', 'yarnpkg'],
  ['deb', 'debian', 'org'],
].map((parts) => parts.join('\\.'));
const machine = new RegExp(
  `(?<![a-zA-Z0-9_.])/(?:${folders})/|/tmp/${'bash' + '_jobs'}|${hosts.join('|')}`,
  'g',
);

const noMachine: Rule = {
  name: 'no path of a machine and no registry host',
  instead: 'use a path relative to the repository or a setting; name packages, not where they come from',
  find: (files) => matches(files, (file) => file.path !== 'package-lock.json', 'text', machine),
  bad: [
    { 'README.md': `cd /${'wo' + 'rk'}/main` },
    { 'src/a.ts': `const home = '/${'ro' + 'ot'}/x';` },
    { '.npmrc': `x=https://${['registry', 'npmjs', 'org'].join('.')}/` },
  ],
  good: [
    {
      'README.md': `see ./${'wo' + 'rk'}/x and src/${'wo' + 'rk'}.ts and https://pitlane.example/${'ro' + 'ot'}`,
    },
  ],
};

const marker = '<'.repeat(7);
const noConflict: Rule = {
  name: 'no marker of a merge',
  instead: 'finish the merge: take one side or both, and delete the markers',
  find: (files) => matches(files, () => true, 'text', /^(?:<{7}|>{7}) \S+/gm),
  bad: [{ 'docs/a.md': `${marker} HEAD\nThis\n` }],
  good: [{ 'docs/a.md': `a ${marker} b\n${marker}\n` }],
};

const noDownloadAddress: Rule = {
  name: 'package-lock.json records no download address',
  instead: 'set omit-lockfile-registry-resolved=true (.npmrc has it) and make the lock file again',
  find: (files) =>
    matches(
      files,
      (file) => /(?:^|\/)package-lock\.json$/.test(file.path),
      'text',
      /"resolved":\s*"http[^"]*/g,
    ),
  bad: [{ 'package-lock.json': '{ "resolved": "https://example.com/a.tgz" }' }],
  good: [{ 'package-lock.json': '{ "integrity": "sha512-x", "funding": "https://example.com" }' }],
};

const noWordTwice: Rule = {
  name: 'docs/vocabulary.md names no word twice',
  instead: 'give each of the two meanings a word of its own',
  find: (files) =>
    files
      .filter(({ path }) => path === 'docs/vocabulary.md')
      .flatMap((file) => {
        const rows = [...file.text.matchAll(/^\| (?!Word \|)([^|]+?) \|/gm)];
        const words = rows.map(([, word = '']) => word);
        return rows
          .filter((_, index) => words.indexOf(words[index] ?? '') < index)
          .map((row) => finding(file, row.index, row[1] ?? ''));
      }),
  bad: [{ 'docs/vocabulary.md': '| slot | Of the hours. |\n\n| Word | Meaning |\n| slot | Of a rate. |\n' }],
  good: [
    {
      'docs/vocabulary.md':
        '| Word | Meaning |\n| slot | A. |\n\n| Word | Meaning |\n| start time | A slot. |\n',
    },
  ],
};

export const repositoryRules: readonly Rule[] = [noMachine, noConflict, noDownloadAddress, noWordTwice];
