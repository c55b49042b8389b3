/** The tests that a change needs during development: those of the changed files, and of the files that import them. */
import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { isTest, readRepository, references, type SourceFile } from '../../test/house/source.ts';

export interface Selection {
  readonly changed: readonly string[];
  /** The tests to run, nearest to the change first. */
  readonly files: readonly string[];
  /** Further tests that the change reaches. */
  readonly leftOut: readonly string[];
}

/** Changed since the branch left main, committed or not; paths from the root. */
function changedPaths(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const mergeBase = (branch: string) => {
    try {
      return git('merge-base', 'HEAD', branch).trim();
    } catch {
      return null;
    }
  };
  const base = mergeBase('main') ?? mergeBase('origin/main') ?? 'HEAD';
  const listed =
    git('diff', '-z', '--name-only', '--diff-filter=d', base) +
    git('ls-files', '-z', '--others', '--exclude-standard');
  return [...new Set(listed.split('\0').filter((path) => path !== ''))];
}

/** The tests that were added or touched since the branch left main, committed or not; paths from the root. */
export function changedTests(root: string): string[] {
  return changedPaths(root).filter((path) => path.endsWith('.test.ts'));
}

/** At most `limit` tests, beside those that are changed themselves; `isSlow` ones only when they are changed. */
export function selectTests(root: string, limit: number, isSlow: (file: string) => boolean): Selection {
  const changed = changedPaths(root);
  const reached = testsReached(readRepository(root), changed);
  const own = reached.filter((file) => changed.includes(file));
  const others = reached.filter((file) => !changed.includes(file) && !isSlow(file));
  const files = [...own, ...others.slice(0, Math.max(0, limit - own.length))];
  return { changed, files, leftOut: reached.filter((file) => !files.includes(file)) };
}

/** Tests that reach a changed file by imports, by the number of steps; a text counts as imported by the files that name it. */
export function testsReached(repository: readonly SourceFile[], changed: readonly string[]): string[] {
  const importers = new Map<string, string[]>();
  for (const file of repository) {
    for (const { path } of references(file)) importers.set(path, [...(importers.get(path) ?? []), file.path]);
  }
  const readers = (path: string) =>
    /\.(?:ts|mjs)$/.test(path)
      ? []
      : repository.filter((file) => isTest(file) && names(file, path)).map((file) => file.path);

  const seen = new Set(changed);
  let layer = [...seen];
  while (layer.length > 0) {
    const next = layer.flatMap((path) => [...(importers.get(path) ?? []), ...readers(path)]);
    layer = [...new Set(next)].filter((path) => !seen.has(path));
    for (const path of layer) seen.add(path);
  }
  const present = new Set(repository.filter(isTest).map((file) => file.path));
  return [...seen].filter((path) => present.has(path));
}

/**
 * A file that says `errors.md` reads `docs/errors.md`; one that says `migrations` reads every migration. A function of the database is read by the
 * tests beside it.
 */
function names(file: SourceFile, path: string): boolean {
  if (/^src\/.*\.sql$/.test(path) && posix.dirname(file.path) === posix.dirname(path)) return true;
  const folder = posix.dirname(path).split('/')[0] ?? '';
  const wanted = folder === 'migrations' ? folder : posix.basename(path);
  return file.literals.some(({ text }) => text.includes(wanted));
}

/** What a quick run says that it did not run. */
export function notRun({ changed, files, leftOut }: Selection): string[] {
  const shown = leftOut.slice(0, 10).map((file) => `  ${file}`);
  return [
    `\nQuick: ${changed.length} changed files, ${files.length} test files that they reach.`,
    'Not run: PostgreSQL 15, and all tests that no import leads to from a changed file.',
    ...(leftOut.length === 0
      ? []
      : [`Not run although a changed file reaches them, since they are slow or far away: ${leftOut.length}`]),
    ...shown,
    ...(leftOut.length > shown.length ? [`  and ${leftOut.length - shown.length} more`] : []),
  ];
}
