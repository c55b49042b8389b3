/** House rules about words: terms that engineers search for, in comments, names of tests, messages and pages. */
import { finding, gap, phrase, type Rule } from './rule.ts';
import { isProduct, type SourceFile } from './source.ts';

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
  [phrase('(?:is|are|was|were)', 'held', 'to'), 'must fit, is checked against'],
  [phrase('held', 'to', 'nothing'), 'not checked'],
  [phrase('another', 'by', 'now'), 'has changed since'],
  [phrase('what', 'becomes?', 'of'), 'the state or outcome of'],
  [phrase('what', 'became', 'of'), 'the state or outcome of'],
  [phrase('what', 'has', 'become', 'of'), 'the state or outcome of'],
  [phrase('what', 'is', 'said', '(?:of|in)'), 'the message about'],
  [phrase('no', 'such', 'one'), 'does not exist'],
  [phrase('none', 'of', 'theirs'), 'does not belong to them'],
  [phrase('of', 'the', 'page', 'before'), 'of the previous page'],
  [phrase('the', 'release', 'before'), 'the previous release'],
  [phrase('of', '(?:two|three|several|many|ten|hundred)', 'at', 'once'), 'of concurrent …'],
  [phrase('speaks?', 'against'), 'conflicts with, is why … is refused'],
  [phrase("one[’']s", 'own', 'words'), 'a custom text'],
  [phrase('stands?', 'in', 'the', 'way'), 'prevents, refuses'],
  [phrase('stands?', 'as', 'failed'), 'is shown as failed'],
  ['an' + 'ew', 'again'],
  [phrase('nobody', 'hears'), 'nobody is notified'],
  [phrase('(?:sets?|set)', 'off'), 'triggers'],
  [phrase('(?:is|are)', 'let', 'in'), 'is accepted'],
  [phrase('be', 'had'), 'be available'],
  [phrase('to', 'the', 'letter'), 'exactly'],
  [phrase('may', 'not', 'see', 'of'), 'is not allowed to see'],
  ['so ' + 'many', 'that many, too many'],
  ['(?<!there )is ' + 'none', 'is not one, is invalid, does not exist'],
  [phrase('wanted', 'anyway'), 'booked anyway'],
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
    { 'docs/a.md': `The lists show ${phrase('what', 'became', 'of')} each text.` },
    { 'src/a.ts': `/** Null when the text ${'is ' + 'none'}. */` },
    { 'test/a.test.ts': `/** Waits for ${'so ' + 'many'} requests. */` },
    { 'src/a.ts': `/** The last of the page\n * before: ${phrase('of', 'the', 'page', 'before')}. */` },
  ],
  good: [
    {
      'src/a.ts': '/** The outcome is unknown: the gateway is told when. */',
      'docs/a.md': '**It is told** of it. There is none: the car is off, and hears no more.',
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

/**
 * Where texts may name commands and options. Each is read by whoever runs the installation, at a terminal, and by nobody else.
 * `availability/set-up/format.ts` is the page of the file that `workshop import` takes; `db/` runs PostgreSQL's own programs;
 * the labels of keys that are derived are no commands.
 */
const edges = [
  'src/commands/',
  'src/base/config/',
  'src/platform/db/',
  'src/platform/key-fingerprint/',
  'src/operation/doctor/',
  'src/operation/backup/',
  'src/operation/banner.ts',
  'src/server.ts',
  'src/product/availability/set-up/format.ts',
  'src/base/secret-key.ts',
  'src/base/sealing.ts',
];

const command = /\bpitlane [a-z]+(?:-[a-z]+)*/g;
/** Not a custom property of CSS, nor a boundary of MIME. */
const option = /(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w:\\-])/g;

const noCommandLine: Rule = {
  name: 'no command and no option of the command line in a domain',
  instead:
    'give the OperatorError a refusal, or the fault a code (src/base/operator-error.ts), and word it in src/commands/hints.ts: other edges have other ways out',
  find: (files) =>
    files
      .filter((file) => isProduct(file) && !edges.some((edge) => file.path.startsWith(edge)))
      .flatMap((file) =>
        file.literals.flatMap(({ text, at }) =>
          [...text.matchAll(command), ...text.matchAll(option)].map((match) =>
            finding(file, at, `“${match[0]}”`),
          ),
        ),
      ),
  bad: [
    {
      'src/product/quotes/find.ts':
        'throw new OperatorError(`there is no quote (pitlane quote list shows them)`);',
    },
    { 'src/product/customers/find.ts': "const message = 'name it with --workshop';" },
    { 'src/product/bookings/staff/conflict.ts': 'const message = `no number: --sms-sender sets it`;' },
  ],
  good: [
    { 'src/commands/hints.ts': "const hint = '--workshop (pitlane quote list shows them)';" },
    {
      'src/product/quotes/find.ts':
        "/** What `pitlane quote show` and `--partner` find. */ throw notFound('quote', id);",
    },
    { 'src/platform/pages/layout.ts': 'const style = `:root{--fill:#fff}`;' },
    { 'src/product/quotes/store.ts': 'const text = `SELECT 1 -- why it is one`;' },
    { 'src/product/quotes/find.test.ts': 'const message = /--workshop/;' },
  ],
};

export const wordRules: readonly Rule[] = [fieldTerms, noIssues, noCommandLine];
