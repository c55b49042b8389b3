/** House rules about names from outside that are looked up in objects, which have `toString` and `constructor` too. */
import { finding, type Rule } from './rule.ts';
import { isProduct, references, type SourceFile } from './source.ts';

const helper = 'src/base/values/own-value.ts';

/** A constant whose type has a value for each string. */
const table = /\bconst\s+(\w+)\s*:\s*Readonly<\s*(?:Partial<\s*)?(?:Record<\s*string\b|\{\s*\[)/g;
const tablesOf = (file: SourceFile) => [...file.code.matchAll(table)].map(([, name = '']) => name);

/** `{ actions, type Kind, labels as words }`: what an import names, and the path that it is of. */
function imported(
  file: SourceFile,
): { readonly path: string; readonly own: string; readonly name: string }[] {
  return references(file).flatMap(({ path, at }) => {
    const names = /\bimport\s*\{([^{}]*)\}\s*from\s*$/.exec(file.code.slice(0, at))?.[1] ?? '';
    return names.split(',').map((each) => {
      const [name = '', own = name] = each.trim().split(/\s+as\s+/);
      return { path, own, name };
    });
  });
}

/** Names of tables that the file knows, of its own and imported ones. */
function known(file: SourceFile, byPath: ReadonlyMap<string, readonly string[]>): string[] {
  const from = imported(file).flatMap(({ path, own, name }) =>
    byPath.get(path)?.includes(name) ? [own] : [],
  );
  return [...new Set([...tablesOf(file), ...from])];
}

const ownLookUps: Rule = {
  name: 'a table is looked up by ownValue, whatever the name',
  instead: `take ownValue(table, name) of #values/own-value.ts, or make the table a Map: an object has what every object has (toString) under names that nobody gave it; a table of known names has a type that lists them`,
  find: (files) => {
    const product = files.filter((file) => isProduct(file) && file.path !== helper);
    const byPath = new Map(product.map((file) => [file.path, tablesOf(file)]));
    return product.flatMap((file) =>
      known(file, byPath).flatMap((name) =>
        // Within the quotes of a name that is written out, code is blank.
        [...file.code.matchAll(new RegExp(`(?<![\\w.$])${name}(?:\\?\\.)?\\[(?!['"])`, 'g'))].map(
          ({ index }) => finding(file, index, `${name}[…]`),
        ),
      ),
    );
  },
  bad: [
    { 'src/a.ts': "const said: Readonly<Record<string, string>> = { a: 'b' };\nsaid[query['said'] ?? ''];" },
    { 'src/a.ts': 'const said: Readonly<Partial<Record<string, A>>> = {};\nsaid?.[name];' },
    { 'src/a.ts': 'const said: Readonly<{ [name: string]: A }> = {};\nsaid[name];' },
    {
      'src/a.ts':
        'function f() {\n  const said: Readonly<\n    Record<string, A>\n  > = {};\n  return said[x];\n}',
    },
    {
      'src/a.ts': "import { type A, said as words } from './b.ts';\nwords[name];",
      'src/b.ts': 'export const said: Readonly<Record<string, string>> = {};',
    },
  ],
  good: [
    {
      'src/a.ts':
        "const said: Readonly<Record<string, string>> = {};\nownValue(said, name); said['a']; x.said[name];",
    },
    { 'src/a.ts': 'const said: Readonly<Record<Kind, string>> = {};\nsaid[kind];' },
    {
      'src/a.ts':
        'const byName: ReadonlyMap<string, string> = new Map();\nconst left: Record<string, A> = {}; left[name];',
    },
    { 'src/a.test.ts': 'const said: Readonly<Record<string, string>> = {};\nsaid[name];' },
    { 'src/a.ts': 'said[name];', 'src/b.ts': 'export const said: Readonly<Record<string, string>> = {};' },
    { [helper]: 'const table: Readonly<Record<string, A>> = {};\ntable[name];' },
  ],
};

const castLookUps: Rule = {
  name: 'no name is looked for by `in`, and none cast to that of a table',
  instead:
    'take Object.hasOwn(table, name), or ownValue(table, name) of #values/own-value.ts, which says that the name may be unknown',
  find: (files) =>
    files
      .filter(isProduct)
      .flatMap((file) =>
        [
          ...file.code.matchAll(/[\w)\]]\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)*\bas\s+keyof\s+typeof\b/g),
          ...file.code.matchAll(/(?<=[(!&|=?:]\s*)(?!const\b|let\b)[a-z]\w*\s+in\s+\w/g),
        ].map((match) => finding(file, match.index, match[0])),
      ),
  bad: [
    { 'src/a.ts': 'const it = words[name as keyof typeof words];' },
    { 'src/a.ts': "words[query['said'] as keyof typeof words]" },
    { 'src/a.ts': 'if (name in words) f();' },
    { 'src/a.ts': 'return x && !(name in words);' },
  ],
  good: [
    { 'src/a.ts': 'words[kind]; for (const name in words) f(); f(value as keyof typeof words);' },
    { 'src/a.ts': "if ('id' in name) f(); // (a in b)" },
  ],
};

export const lookUpRules: readonly Rule[] = [ownLookUps, castLookUps];
