/** Compares `statements.sql` with what a run of all tests has sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differences, parse, readRecords } from './mirror.ts';
import { recordsSetting } from './recorder.ts';

/**
 * Runs all tests, which together send every statement, and returns lines that say where the file differs; none when a test failed
 * (`work` resolves to false), or when whoever started this run takes what is sent. Where tests were skipped (`isWhole` is false), what is
 * not sent may be theirs.
 */
export async function unlikeMirror(
  root: string,
  isWhole: boolean,
  work: () => Promise<boolean>,
): Promise<string[]> {
  if (process.env[recordsSetting] !== undefined) {
    await work();
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-statements-'));
  process.env[recordsSetting] = folder;
  try {
    return (await work()) ? differencesOf(root, folder, isWhole) : [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function differencesOf(root: string, records: string, isWhole: boolean): string[] {
  const entries = parse(readFileSync(join(root, 'statements.sql'), 'utf8'));
  const { missing, stale } = differences(entries, readRecords(records));
  const wrong = [
    ...missing.map(({ place, test, beginning }) => `  lacks ${place}, which ${test} sends: ${beginning}`),
    ...(isWhole ? stale : []).map(
      ({ place, beginning }) => `  has ${place}, which no test sends: ${beginning}`,
    ),
  ];
  if (wrong.length === 0) return [];
  const tests = [...new Set(missing.map(({ test }) => test))];
  return [
    '\nstatements.sql is not what the tests send to the database:',
    ...wrong,
    tests.length > 0
      ? `  Instead: npm run mirrors -- --statements ${tests.join(' ')}`
      : '  Instead: a test that sends it; where its code is gone, npm run mirrors -- --statements --all-tests.',
  ];
}
