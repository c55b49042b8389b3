/** House rules about the content of a file. */
import { finding, matches, type Rule } from './rule.ts';
import { isProduct, isTest, type SourceFile } from './source.ts';

const isCode = (file: SourceFile) => /\.(?:ts|mjs)$/.test(file.path);
const holdsSql = (path: string) => /^src\/(?:.*\/store\.ts$|platform\/(?:db|events|records)\/)/.test(path);
const elsewhere =
  (...allowed: string[]) =>
  (file: SourceFile) =>
    isProduct(file) && !allowed.includes(file.path);

const environment: Rule = {
  name: 'process.env is read in config.ts only',
  instead: 'add the setting to src/base/config.ts and take it from the Config',
  find: (files) =>
    matches(
      files,
      elsewhere('src/base/config.ts'),
      'code',
      /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/g,
    ),
  bad: [{ 'src/app.ts': 'const port = process.env.PORT;' }, { 'src/app.ts': 'const { env } = process;' }],
  good: [
    { 'src/base/config.ts': 'process.env.PORT' },
    { 'src/app.ts': "// process.env\nconst t = 'process.env'; process.exit();" },
  ],
};

const time: Rule = {
  name: 'the current time comes from the clock',
  instead:
    'take it from context.clock: now() for business time, machineNow() for time-outs; durations of requests are measured in src/platform/http/metrics.ts',
  find: (files) => [
    ...matches(
      files,
      elsewhere('src/base/clock.ts'),
      'code',
      /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?=[;,)\]}]))|\bTemporal\s*\.\s*Now\b/g,
    ),
    ...matches(
      files,
      elsewhere('src/base/clock.ts', 'src/platform/http/metrics.ts'),
      'code',
      /\bperformance\s*\.\s*(?:now|timeOrigin)\b|\bhrtime\b/g,
    ),
  ],
  bad: [
    { 'src/app.ts': 'const at = Date.now();' },
    { 'src/app.ts': 'const at = new Date();' },
    { 'src/app.ts': 'const at = performance.now();' },
    { 'src/app.ts': 'process.hrtime.bigint()' },
  ],
  good: [
    { 'src/app.ts': 'const at = new Date(text); clock.now();' },
    { 'src/base/clock.ts': 'new Date(Date.now())' },
    { 'src/platform/http/metrics.ts': 'performance.now()' },
    { 'src/app.test.ts': 'Date.now()' },
  ],
};

const statement =
  /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s|DELETE\s+FROM\s|MERGE\s+INTO\s|WITH\s+(?:RECURSIVE\s+)?\w+\s+AS\s|(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|UNIQUE|DATABASE|ROLE|SCHEMA)|TRUNCATE\s|LISTEN\s|NOTIFY\s|BEGIN$|COMMIT$|ROLLBACK$|SET\s+LOCAL\s)/;

const sql: Rule = {
  name: 'SQL stands in store.ts, db/, events/, records/ and migrations/ only',
  instead: "make it a function of the domain's store.ts, one statement a function",
  find: (files) =>
    files
      .filter((file) => isProduct(file) && !holdsSql(file.path))
      .flatMap((file) => [
        ...file.literals
          .filter(({ text }) => statement.test(text))
          .map(({ text, at }) => finding(file, at, `SQL: ${text.trim().slice(0, 40)}`)),
        ...matches([file], () => true, 'code', /\.query\s*(?=[(<`])/g),
      ]),
  bad: [
    { 'src/product/bookings/create.ts': "const text = 'SELECT 1';" },
    { 'src/product/bookings/create.ts': 'const text = `\n  WITH one AS (SELECT 1) SELECT * FROM one`;' },
    { 'src/platform/http/health.ts': 'await db.query(text);' },
    { 'src/platform/http/health.ts': 'await db.query<{ one: number }>(text);' },
  ],
  good: [
    {
      'src/product/bookings/store.ts': "db.query('SELECT 1')",
      'src/platform/events/relay.ts': "db.query('SELECT 1')",
    },
    { 'src/product/bookings/routes.ts': "request.query.limit; const hint = 'Select a time';" },
  ],
};

const eventInserts: Rule = {
  name: 'events are inserted in src/platform/events/record.ts only',
  instead:
    'take recordEvent of #events/record.ts, or in a greater statement its insertEvents; a change of a record takes changeCtes of #records/change.ts',
  find: (files) =>
    files
      .filter((file) => isProduct(file) && file.path !== 'src/platform/events/record.ts')
      .flatMap((file) =>
        file.literals
          .filter(({ text }) => /\bINSERT\s+INTO\s+event\b/i.test(text))
          .map(({ text, at }) => finding(file, at, text.trim().slice(0, 40))),
      ),
  bad: [
    { 'src/product/bookings/store.ts': 'const s = `WITH made AS (INSERT INTO event (id) SELECT 1) SELECT`;' },
    { 'src/platform/events/store.ts': "const s = 'insert into event (id) VALUES ($1)';" },
  ],
  good: [
    { 'src/platform/events/record.ts': "const s = 'INSERT INTO event (id) VALUES ($1)';" },
    { 'src/product/webhooks/store.ts': "const s = 'INSERT INTO event_mark (id) VALUES ($1)';" },
    { 'src/platform/events/relay.test.ts': "const s = 'INSERT INTO event (id) VALUES ($1)';" },
  ],
};

const sqlNow =
  /\bnow\s*\(\s*\)|\bCURRENT_(?:TIMESTAMP|DATE|TIME)\b|\bLOCALTIME(?:STAMP)?\b|\b(?:transaction|statement)_timestamp\s*\(/gi;

const databaseTime: Rule = {
  name: "no now() of the database's",
  instead: 'business time is a parameter of the statement; machine time is clock_timestamp()',
  find: (files) => [
    ...files
      .filter((file) => isProduct(file) && holdsSql(file.path))
      .flatMap((file) =>
        file.literals.flatMap(({ text, at }) =>
          [...text.matchAll(sqlNow)].map((match) => finding(file, at + 1 + match.index, match[0])),
        ),
      ),
    ...matches(files, (file) => /^(?:migrations|src)\/.*\.sql$/.test(file.path), 'text', sqlNow),
  ],
  bad: [
    { 'src/product/bookings/store.ts': 'const s = `UPDATE booking SET updated_at = now() WHERE id = $1`;' },
    { 'src/product/bookings/store.ts': "'SELECT CURRENT_TIMESTAMP'" },
    { 'migrations/0002_x.sql': 'ALTER TABLE x ADD COLUMN y timestamptz DEFAULT now();' },
    { 'src/a/f.sql': 'UPDATE a SET at = now();' },
  ],
  good: [
    { 'src/product/bookings/store.ts': 'const at = clock.now(); const s = `SELECT clock_timestamp()`;' },
  ],
};

/** Tests may read a response without a type when a comment tells the linter why. */
const excused = /biome-ignore lint\/suspicious\/noExplicitAny: .+\n.*$/;

const anyType: Rule = {
  name: 'no any',
  instead: 'name the type, or take unknown and narrow it',
  find: (files) =>
    files
      .filter(isCode)
      .flatMap((file) =>
        [...file.code.matchAll(/(?<![.\w$])any\b(?!\s*[:(\w])/g)]
          .filter(({ index }) => isProduct(file) || !excused.test(file.text.slice(0, index)))
          .map(({ index }) => finding(file, index, 'any')),
      ),
  bad: [
    { 'src/a.ts': 'let x: any;' },
    { 'test/a.ts': 'f<any>(x as any[])' },
    { 'src/a.ts': '// biome-ignore lint/suspicious/noExplicitAny: because\nlet x: any;' },
  ],
  good: [
    { 'src/a.ts': "Promise.any(all); const o = { any: 1 }; // any\nconst t = 'any';" },
    { 'test/a.ts': '// biome-ignore lint/suspicious/noExplicitAny: because\nlet x: any;' },
  ],
};

const enums: Rule = {
  name: 'no enum',
  instead: 'a list `as const` and the type `(typeof list)[number]`',
  find: (files) => matches(files, isCode, 'code', /\benum\s+\w+\s*\{/g),
  bad: [{ 'src/a.ts': 'export enum Role { api }' }, { 'src/a.ts': 'const enum Role { api }' }],
  good: [{ 'src/a.ts': 'const s = { enum: [1] };' }],
};

const only: Rule = {
  name: 'no .only',
  instead: 'run one test with: npm test -- path/to/file.test.ts',
  find: (files) =>
    matches(files, isCode, 'code', /\b(?:test|it|describe|suite)\s*\.\s*only\b|\bonly\s*:\s*true\b/g),
  bad: [
    { 'src/a.test.ts': "test.only('x', () => {});" },
    { 'src/a.test.ts': "test('x', { only: true }, f);" },
  ],
  good: [{ 'src/a.test.ts': "test('the only one', () => {});" }],
};

// Put together here so that this file does not hold them.
const leftOver = new RegExp(
  `\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`,
  'g',
);

const leftOvers: Rule = {
  name: 'nothing left for later in a comment',
  instead: 'do it now, or write it into the issue',
  find: (files) => matches(files, (file) => isCode(file) || file.path.endsWith('.sql'), 'text', leftOver),
  bad: [{ 'src/a.ts': `// ${'TO' + 'DO'}: later` }, { 'migrations/0001_a.sql': `-- ${'FIX' + 'ME'}` }],
  good: [{ 'src/a.ts': 'const todos = 1;' }],
};

const linesAtMost = 250;
const saysWhy = /^(?:\/\/|\/\*\*?) .*\blong(?:er)?\b/i;

const size: Rule = {
  name: `no file over ${linesAtMost} lines that does not say why`,
  instead:
    'split it into files with one job each; where that would hurt, the first line is a comment that says "Long because …"',
  find: (files) =>
    files
      .filter(
        (file) => isCode(file) && file.text.split('\n').length - 1 > linesAtMost && !saysWhy.test(file.text),
      )
      .map((file) => finding(file, 0, `has ${file.text.split('\n').length - 1} lines`)),
  bad: [{ 'src/a.ts': `/** A file. */\n${'x;\n'.repeat(linesAtMost)}` }],
  good: [
    { 'src/a.ts': 'x;\n'.repeat(linesAtMost) },
    { 'src/a.ts': `/** Long because it is one table. */\n${'x;\n'.repeat(400)}` },
  ],
};

const suites: Rule = {
  name: 'a suite is declared at once',
  instead:
    'await what its tests need before it, at the top of the file or in before(): tests that are declared once the file is loaded find no suite (scripts/test/uncaught.ts)',
  find: (files) => matches(files, isTest, 'code', /\b(?:describe|suite)\s*\([^\n]*\basync\b/g),
  bad: [{ 'src/a.test.ts': "describe('a', async () => {\n  await x();\n});" }],
  good: [{ 'src/a.test.ts': "describe('a', () => {\n  before(async () => {});\n});" }],
};

export const codeRules: readonly Rule[] = [
  environment,
  time,
  sql,
  databaseTime,
  eventInserts,
  anyType,
  enums,
  only,
  leftOvers,
  size,
  suites,
];
