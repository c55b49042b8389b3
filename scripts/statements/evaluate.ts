/**
 * Runs what tells the texts of statements: TypeScript that stands, as if it were written there, at the end of a file of the product. A process of
 * its own, since each file that it loads has this addition. It reads `{ "src/a.ts": ["() => text", …] }` as JSON from standard input, and writes the texts by file; null for
 * one that can't be told, because what it needs is there only in a server.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const [root = ''] = process.argv.slice(2);
const thunks = JSON.parse(readFileSync(0, 'utf8')) as Readonly<Record<string, readonly string[]>>;
const added = new Map(
  Object.entries(thunks).map(([file, all]) => [
    pathToFileURL(`${root}${file}`).href,
    `\nexport const statementsOfThisFile: readonly (() => unknown)[] = [${all.join(',\n')}];\n`,
  ]),
);

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const addition = added.get(url);
    return addition === undefined ? loaded : { ...loaded, source: `${loaded.source}${addition}` };
  },
});

function told(thunk: () => unknown): string | null {
  try {
    const text = thunk();
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

const texts: Record<string, readonly (string | null)[]> = {};
for (const [url] of added) {
  const { statementsOfThisFile = [] } = (await import(url)) as {
    statementsOfThisFile?: readonly (() => unknown)[];
  };
  texts[url.slice(pathToFileURL(root).href.length)] = statementsOfThisFile.map(told);
}
process.stdout.write(JSON.stringify(texts), () => process.exit());
