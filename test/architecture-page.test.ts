/** docs/architecture.md shows the actual tree, house rules and files of an entity; whoever begins at the README gets there. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rules } from './house/rules.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/architecture.md');
const beginning = read('docs/how-it-works.md');
const sorted = (names: readonly string[]) => [...names].sort();

test('the tree of src is the one on the page', () => {
  const src = new URL('src/', root);
  const groups = ['base/', 'platform/', 'product/', 'operation/'];
  const entriesOf = (folder: string) =>
    readdirSync(new URL(folder, src), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => folder + name);
  let group = '';
  const shown = [...page.matchAll(/^( {2}| {4})([\w-]+(?:\.ts|\/)) {2,}\S/gm)].map(
    ([, indent, name = '']) => {
      if (indent === '  ') group = name;
      return indent === '  ' ? name : group + name;
    },
  );
  assert.deepEqual(sorted(shown), sorted(['', ...groups].flatMap(entriesOf)));
});

test('the house rules are those on the page', () => {
  const section = page.split('## House rules')[1] ?? '';
  const shown = [...section.matchAll(/^- (.+)$/gm)].map(([, name = '']) => name);
  assert.deepEqual(sorted(shown), sorted(rules.map(({ name }) => name)));
});

const entity = page.split('## Adding an entity')[1]?.split('\n## ')[0] ?? '';
const filesIn = (text: string) =>
  [...text.matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
const named = filesIn(entity);
/** Of the entity that the page has as its example. */
const ofCalls = /lead|call_|callerPhone|missed|100001/i;

test('each file that the page lists for a new entity is one that the example touches', () => {
  const rows = [...entity.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  const files = rows.flatMap(filesIn).filter((path) => !path.endsWith('/'));
  assert.ok(files.length > 30);
  assert.deepEqual(
    files.filter((path) => !ofCalls.test(read(path))),
    [],
  );
});

test('each file that the example touches is on that list', () => {
  const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
  const isKnown = (path: string) =>
    named.some((each) => (each.endsWith('/') ? path.startsWith(each) : path === each));
  const touched = readdirSync(new URL('src/', root), { encoding: 'utf8', recursive: true })
    .map((path) => `src/${path}`)
    // A place of the console is one's own choice, with a section of its own on the page.
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.startsWith('src/console/'))
    .filter((path) => /callLead|call_lead|callRecord|product\/leads/.test(read(path).replace(comments, '')));
  assert.ok(touched.length > 20);
  assert.deepEqual(
    touched.filter((path) => !isKnown(path)),
    [],
  );
});

test('the README leads to how it works, and that to the architecture and the pages of the parts', () => {
  assert.match(read('README.md'), /\]\(docs\/how-it-works\.md\)/);
  assert.match(beginning, /\]\(architecture\.md\)/);
  assert.match(page, /\]\(how-it-works\.md\)/);
  for (const name of readdirSync(new URL('docs/design/', root)))
    assert.ok(page.includes(`](design/${name})`), `docs/design/${name} is linked`);
});

/** That each is declared there is checked by docs-links.test.ts. */
const wanted = {
  'where a notice is composed': '`textOfNotice` of `src/product/notifications/text.ts`',
  'where STOP is applied': '`optOutStops` of `src/product/sending/opt-out.ts`',
  'how to add a setting': '](architecture.md#adding-a-setting)',
};
test('a newcomer finds where a notice is composed, where STOP is applied, and how to add a setting', () => {
  const rows = beginning.split('\n').filter((line) => line.startsWith('| '));
  for (const [question, place] of Object.entries(wanted))
    assert.ok(
      rows.some((row) => row.includes(question) && row.includes(place)),
      question,
    );
});

test('each number of the picture is a step of the text', () => {
  const shown = [...read('docs/how-it-works.svg').matchAll(/>(\d+)<\/text>/g)].map(([, number]) => number);
  const steps = [...beginning.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  assert.deepEqual(shown.toSorted(), steps);
});
