/** House rules about functions and triggers of the database, which stand beside their domains (docs/design/functions.md). */
import { posix } from 'node:path';
import { finding, type Rule } from './rule.ts';
import { isProduct, type SourceFile } from './source.ts';

/** The last migration that made functions before they had files. */
const lastWithFunctions = '0082';
const makes = /\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:CONSTRAINT\s+)?(FUNCTION|PROCEDURE|TRIGGER)\s+(\w+)/gi;

const tablesAlone: Rule = {
  name: `no migration after ${lastWithFunctions} that makes a function or a trigger`,
  instead:
    'write it in a .sql file beside its domain, as docs/design/functions.md says; a function that an index of the migration is made with may stand in both',
  find: (files) =>
    files
      .filter(({ path }) => {
        const number = /^migrations\/(\d{4})_/.exec(path)?.[1];
        return number !== undefined && number > lastWithFunctions;
      })
      .flatMap((file) =>
        [...file.text.replaceAll(/--.*/g, (comment) => ' '.repeat(comment.length)).matchAll(makes)]
          .filter(([, kind = '', name = '']) => /trigger/i.test(kind) || !isIndexed(file.text, name))
          .map((match) => finding(file, match.index, match[0])),
      ),
  bad: [
    { 'migrations/0083_a.sql': 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;' },
    { 'migrations/0083_a.sql': 'create or replace trigger t AFTER INSERT ON a EXECUTE FUNCTION f();' },
    { 'migrations/0100_a.sql': 'CREATE CONSTRAINT TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f();' },
  ],
  good: [
    {
      'migrations/0082_a.sql': 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;',
      'migrations/0083_a.sql': 'DROP TRIGGER t ON a;\nDROP FUNCTION f();\n-- CREATE FUNCTION f stood here.\n',
      'migrations/0084_a.sql':
        'CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS $$ SELECT a $$;\nCREATE INDEX b ON c (f(d));',
    },
  ],
};

const isIndexed = (text: string, name: string) =>
  new RegExp(`\\bCREATE\\s+(?:UNIQUE\\s+)?INDEX\\b[^;]*\\b${name}\\(`, 'i').test(text);

const isFunctionFile = ({ path }: SourceFile) => /^src\/.*\.sql$/.test(path);
const list = 'src/platform/db/functions/list.ts';
const twinsLine = /^-- In TypeScript: (.+)\.$/m;

const twins: Rule = {
  name: 'a rule that stands in SQL and in TypeScript names the other on both sides',
  instead:
    'add the line "-- In TypeScript: src/a.ts, src/b.ts." to the .sql file, and its name to a comment of each',
  find: (files) => {
    const sources = new Map(files.filter(isProduct).map((file) => [file.path, file]));
    const functions = files.filter(isFunctionFile);
    const named = (file: SourceFile) => twinsLine.exec(file.text)?.[1]?.split(', ') ?? [];
    return functions.flatMap((file) => {
      const name = posix.basename(file.path);
      const forgotten = named(file)
        .filter((path) => sources.get(path)?.text.includes(`\`${name}\``) !== true)
        .map((path) => finding(file, 0, `names ${path}, which does not name ${name}`));
      const unnamed = [...sources.values()]
        .filter(
          ({ path, text }) => path !== list && text.includes(`\`${name}\``) && !named(file).includes(path),
        )
        .map((source) =>
          finding(source, source.text.indexOf(`\`${name}\``), `names ${name}, which does not name it`),
        );
      return [...forgotten, ...unnamed];
    });
  },
  bad: [
    {
      'src/a/f.sql': '-- Edition 1.\n-- In TypeScript: src/a/store.ts.\n',
      'src/a/store.ts': '/** Reads. */',
    },
    { 'src/a/f.sql': '-- Edition 1.\n-- In TypeScript: src/a/store.ts.\n' },
    { 'src/a/f.sql': '-- Edition 1.\n', 'src/a/store.ts': '/** Counts (`f.sql`). */' },
  ],
  good: [
    {
      'src/a/f.sql': '-- Edition 1.\n-- In TypeScript: src/a/store.ts, src/b.ts.\n',
      'src/a/store.ts': '/** Counts (`f.sql`). */',
      'src/b.ts': '/** As `f.sql` does. */',
    },
    { 'src/a/g.sql': '-- Edition 1.\n' },
  ],
};

const laterEdition = /^-- Edition (?!1\.$)\d+\.$/m;
const besideLine = /^-- Beside the previous release: (\S+\.test\.ts)\.$/m;

const beside: Rule = {
  name: 'a later edition of a function names the test that runs it under statements of the previous release',
  instead:
    'add the line "-- Beside the previous release: src/a/a.test.ts." to the .sql file, and write that test',
  find: (files) =>
    files
      .filter((file) => isFunctionFile(file) && laterEdition.test(file.text))
      .flatMap((file) => {
        const test = besideLine.exec(file.text)?.[1];
        if (test === undefined) return [finding(file, 0, 'names no test')];
        const text = files.find(({ path }) => path === test)?.text;
        return text?.includes(posix.basename(file.path)) === true
          ? []
          : [finding(file, 0, `names ${test}, which does not name ${posix.basename(file.path)}`)];
      }),
  bad: [
    { 'src/a/f.sql': '-- Edition 2.\nCREATE' },
    { 'src/a/f.sql': '-- Edition 12.\n-- Beside the previous release: src/a/a.test.ts.\n' },
    {
      'src/a/f.sql': '-- Edition 2.\n-- Beside the previous release: src/a/a.test.ts.\n',
      'src/a/a.test.ts': 'test();',
    },
  ],
  good: [
    { 'src/a/f.sql': '-- Edition 1.\n' },
    {
      'src/a/f.sql': '-- Edition 2.\n-- Beside the previous release: src/a/a.test.ts.\n',
      'src/a/a.test.ts': "test('f.sql does right for them');",
    },
  ],
};

export const functionRules: readonly Rule[] = [tablesAlone, twins, beside];
