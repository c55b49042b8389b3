/** The statements of the product as its source tells them, without a test and without a database: seconds, where a run of all tests takes minutes. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { doors, prepared } from './recorder.ts';
import { findSites, mayHoldSites, type Site } from './sites.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Told extends Site {
  /** Null where it is composed. */
  readonly text: string | null;
}

/** Tables of former releases, which a database has or not. */
const formerTables = /\bgraphile_worker\./;
/** What belongs to `statements.sql`. */
const isStatement = (text: string) => prepared.test(text) && !formerTables.test(text);

/** The sites of the product, or of these files of its. What is no statement that can be prepared on every database is left out. */
export function toldStatements(files: readonly string[] = filesOfProduct()): Told[] {
  const sites = withConfiguration(files, (configuration) => findSites(root, files, configuration));
  const byFile = Map.groupBy(sites, ({ file }) => file);
  const thunks = Object.fromEntries(
    [...byFile].map(([file, all]) => [file, all.map(({ thunk }) => thunk ?? '() => null')]),
  );
  const output = execFileSync(process.execPath, [join(root, 'scripts/statements/evaluate.ts'), root], {
    input: JSON.stringify(thunks),
    maxBuffer: 64 * 1024 * 1024,
  });
  const texts = JSON.parse(output.toString()) as Record<string, readonly (string | null)[]>;
  return [...byFile]
    .flatMap(([file, all]) => all.map((site, at) => ({ ...site, text: texts[file]?.[at] ?? null })))
    .filter(({ text }) => text === null || isStatement(text));
}

function filesOfProduct(): string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !doors.test(file) && mayHoldSites(file, root))
    .sort();
}

/** A configuration of these files alone: with that of the repository the compiler would read the tests, too. */
function withConfiguration<T>(files: readonly string[], work: (configuration: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-sites-'));
  const configuration = join(folder, 'tsconfig.json');
  const types = [join(root, 'node_modules/@types')];
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: types },
    include: [],
  };
  writeFileSync(configuration, JSON.stringify({ ...settings, files: files.map((file) => join(root, file)) }));
  try {
    return work(configuration);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
