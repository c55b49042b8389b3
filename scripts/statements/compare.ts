/** Compares `statements.sql` with what a run of all tests has sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences, parse, readRecords } from './mirror.ts';

/** Lines that say what is wrong; none when the file is what was sent. Where tests were skipped, what is not sent may be theirs. */
export function unlikeMirror(root: string, records: string, isWhole: boolean): string[] {
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
      : '  Instead: npm run mirrors -- --statements, or a test that sends it.',
  ];
}
