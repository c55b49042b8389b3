/** The test files that a run is about. */
import { globSync, statSync } from 'node:fs';
import { StepFailed } from './checks.ts';

/** They read the repository alone, and run beside the checks. */
export const houseRules = 'test/house.test.ts';

/** Those that were named, each once; without a name all but the house rules. Throws StepFailed where there is none. */
export function testFiles(named: readonly string[]): string[] {
  if (named.length > 0) return [...new Set(named.flatMap(testFilesOf))];
  return globSync('{src,packages,test,scripts,bench,bin}/**/*.test.ts')
    .filter((file) => file !== houseRules)
    .sort();
}

/** A file is taken as it is, a folder stands for the tests below it. */
function testFilesOf(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  const files = stat?.isDirectory() ? globSync(`${path}/**/*.test.ts`).sort() : [path];
  if (stat === undefined || files.length === 0) throw new StepFailed(`there are no tests at ${path}`);
  return files;
}
