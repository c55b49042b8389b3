/** House rules about how SQL is written. */
import { finding, type Rule } from './rule.ts';
import { isProduct, type SourceFile } from './source.ts';

const holdsStatements = (path: string) =>
  /^src\/(?:.*\/store\.ts$|platform\/(?:db|events|records)\/(?!embedded\/))/.test(path);
const words = /\b(?:SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|VALUES|SET|AND|OR|AS|ON)\b/;

/** The parts of a file that are literals, line by line. */
function literalLines(
  file: SourceFile,
): { readonly at: number; readonly length: number; readonly text: string }[] {
  const lines = new Map<number, { at: number; length: number; text: string }>();
  for (const { text, at } of file.literals) {
    for (let from = at + 1, rest = text; ; ) {
      const [part = ''] = rest.split('\n', 1);
      const begin = file.text.lastIndexOf('\n', from - 1) + 1;
      const end = file.text.indexOf('\n', from);
      const line = lines.get(begin) ?? {
        at: begin,
        length: (end === -1 ? file.text.length : end) - begin,
        text: '',
      };
      lines.set(begin, { ...line, text: line.text + part });
      if (part.length === rest.length) break;
      rest = rest.slice(part.length + 1);
      from += part.length + 1;
    }
  }
  return [...lines.values()];
}

const widthAtMost = 140;
const width: Rule = {
  name: `no line of SQL over ${widthAtMost} characters`,
  instead:
    'break it where a clause begins, before AND or after a comma; a long list is a constant of its own',
  find: (files) =>
    files.filter(isProduct).flatMap((file) =>
      literalLines(file)
        .filter(
          ({ length, text }) =>
            length > widthAtMost && (holdsStatements(file.path) ? text !== '' : words.test(text)),
        )
        .map(({ at, length }) => finding(file, at, `${length} characters`)),
    ),
  bad: [
    {
      'src/product/sending/store.ts': `const text = \`SELECT id\n  FROM message WHERE ${'x'.repeat(widthAtMost)}\`;`,
    },
    { 'src/product/sending/store.ts': `const text = \`SELECT \${a} ${'x'.repeat(widthAtMost)}, \${b}\`;` },
    { 'src/product/sending/snapshot.ts': `const is = \`state AND ${'x'.repeat(widthAtMost)}\`;` },
  ],
  good: [
    {
      'src/product/sending/store.ts': `const text = \`SELECT id\n  FROM message\n WHERE ${'x'.repeat(100)}\`;`,
    },
    { 'src/product/sending/store.ts': `// ${'x'.repeat(widthAtMost)}\nconst text = \`SELECT 1\`;` },
    { 'src/product/sending/compose.ts': `const help = 'Messages are ${'x'.repeat(widthAtMost)}';` },
    { 'src/product/sending/x.test.ts': `const text = \`SELECT ${'x'.repeat(widthAtMost)}\`;` },
  ],
};

/** A name, and no key of a JSON text. */
const quotedName = /"[a-z][a-z0-9]*[A-Z]\w*"(?!\s*:)/g;
const quotedAlias = /\bAS\s+"[a-z][a-z0-9]*[A-Z]\w*"/g;
/** The door is tested with a column that it leaves as it is. */
const doorTest = 'src/platform/db/result-columns.test.ts';

const names: Rule = {
  name: 'no quoted camelCase names in SQL',
  instead:
    'write partner_id: columns of results become camelCase at the door (src/platform/db/result-columns.ts), and rows that go in get the names of columns (recordset() of src/platform/db/parameters.ts)',
  find: (files) =>
    files
      .filter(({ path }) => path !== doorTest && !path.startsWith('test/house/'))
      .flatMap((file) =>
        file.literals.flatMap(({ text, at }) =>
          [...text.matchAll(isProduct(file) && holdsStatements(file.path) ? quotedName : quotedAlias)].map(
            (match) => finding(file, at + 1 + match.index, match[0]),
          ),
        ),
      ),
  bad: [
    { 'src/product/bookings/store.ts': 'const s = `SELECT partner_id AS "partnerId" FROM booking`;' },
    { 'src/product/bookings/store.ts': 'const s = `SELECT a."contentType" FROM a`;' },
    { 'test/fixtures/events.ts': `const s = 'SELECT partner_id AS "partnerId" FROM event';` },
  ],
  good: [
    {
      'src/product/bookings/store.ts': `const s = \`SELECT "interval", '{"firstName":null}'::jsonb AS person FROM booking\`;`,
    },
    { 'src/product/bookings/examples.ts': `const s = '{"bookingId": 1}';` },
    { 'src/product/bookings/rules.ts': 'const partnerId = row["partnerId"];' },
  ],
};

const trailStore = 'src/platform/audit/store.ts';
const trailWrites: Rule = {
  name: `the audit trail is written in ${trailStore} only, and deleted from by its purge alone`,
  instead: 'take recordEntry of #platform/audit/record.ts; entries are only added',
  find: (files) =>
    files
      .filter((file) => isProduct(file) && file.path !== trailStore)
      .flatMap((file) =>
        file.literals
          .filter(
            ({ text }) =>
              /\b(?:INTO|UPDATE|DELETE\s+FROM|TRUNCATE)\s+(?:ONLY\s+)?audit_entry\b/i.test(text) ||
              (text === 'audit_entry' && !file.path.startsWith('src/platform/audit/')),
          )
          .map(({ text, at }) => finding(file, at, text.trim().slice(0, 40))),
      ),
  bad: [
    { 'src/product/bookings/store.ts': "const s = 'INSERT INTO audit_entry (id) VALUES ($1)';" },
    { 'src/platform/audit/record.ts': "const s = 'update audit_entry SET actor = $1';" },
    { 'src/operation/erasure/store.ts': 'const s = `WITH gone AS (DELETE FROM audit_entry) SELECT`;' },
    { 'src/platform/records/purge.ts': "deleteInBatches(db, 'audit_entry', 'true');" },
  ],
  good: [
    { [trailStore]: "const s = 'INSERT INTO audit_entry (id) VALUES ($1)';" },
    { 'src/platform/audit/purge.ts': "deleteInBatches(db, 'audit_entry', 'true');" },
    { 'src/platform/audit/read/store.ts': "const s = 'SELECT FROM audit_entry';" },
  ],
};

export const sqlRules: readonly Rule[] = [width, names, trailWrites];
