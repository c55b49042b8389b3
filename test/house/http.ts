/** House rules about what reads requests: what grows with each call of strangers is made impossible. */
import { matches, type Rule } from './rule.ts';
import { isProduct } from './source.ts';

const readers: Rule = {
  name: 'readers of values are made at module level',
  instead: 'write `const readX = valueReader(schema, name);` at the margin: each call compiles, for good',
  find: (files) =>
    matches(
      files,
      (file) => isProduct(file) && file.path !== 'src/platform/http/validation.ts',
      'code',
      /^(?!(?:export )?const \w+ = valueReader\().*\bvalueReader\(/gm,
    ),
  bad: [
    { 'src/a.ts': "export function read(body: unknown) {\n  return valueReader(Body, 'body')(body);\n}" },
    { 'src/a.ts': "  const read = valueReader(Type.Object({}), 'body');" },
    { 'src/a.ts': "const read = (given: unknown) => valueReader(Body, 'body')(given);" },
  ],
  good: [
    { 'src/a.ts': "const read = valueReader(Body, 'body');\nexport const other = valueReader(Body, 'x');" },
    { 'src/a.ts': "import { valueReader } from '#platform/http/validation.ts';" },
    { 'src/a.ts': "const read = valueReader(\n  Type.Object({}),\n  'body',\n);" },
  ],
};

const bodies: Rule = {
  name: 'bodies are read by readBody',
  instead: 'read them with readBody of #http/read-body.ts, which counts what is in memory of all of them',
  find: (files) => matches(files, isProduct, 'code', /\bparseAs\s*:/g),
  bad: [{ 'src/a.ts': "app.addContentTypeParser('*', { parseAs: 'buffer' }, parse);" }],
  good: [
    {
      'src/a.ts': "app.addContentTypeParser('*', (request, payload, done) => read(request, payload, done));",
    },
  ],
};

export const httpRules: readonly Rule[] = [readers, bodies];
