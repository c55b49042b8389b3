/** What the hot paths cost is what `bench/budget.md` says, so that a change which makes one dearer says so. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { atEnd } from '../../test/harness/clean-up.ts';
import { differences, parseBudget } from './budget.ts';
import { type Measured, type PathName, pathNames } from './counts.ts';
import { startHotPaths } from './hot-paths.ts';

const budget = parseBudget(readFileSync(new URL('../budget.md', import.meta.url), 'utf8'));
const paths = await startHotPaths();
atEnd(() => paths.close());

const differencesOf = (name: PathName, { counts }: Measured) => differences(name, budget.paths[name], counts);

/** What the path has run, for whoever looks for the statement that is new. */
const shown = ({ statements }: Measured) =>
  statements
    .map(
      ({ text, isNested, calls, rows, walBytes }) =>
        `  ${calls} × ${isNested ? '(nested) ' : ''}${text.replaceAll(/\s+/g, ' ').slice(0, 100)} · ${rows} rows, ${walBytes} bytes of WAL`,
    )
    .sort()
    .join('\n');

for (const name of pathNames) {
  test(`${name}: statements, rows, WAL and round trips are those of bench/budget.md`, async () => {
    const { [name]: measured } = await paths.count([name]);
    const found = differencesOf(name, measured);
    assert.ok(
      found.length === 0,
      `${found.join('\n')}\nWhere that is meant: npm run bench -- --budget. It ran:\n${shown(measured)}`,
    );
  });
}

test('a trigger on message that reads something is refused, and so is an index: both are counted', async () => {
  const { db } = paths.meter;
  const counted = async () => (await paths.count(['message'])).message;
  await db.query(`CREATE FUNCTION counted_twice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM 1 FROM workshop WHERE id = NEW.workshop_id; RETURN NULL; END $$`);
  await db.query(
    'CREATE TRIGGER counted_twice AFTER INSERT ON message FOR EACH ROW EXECUTE FUNCTION counted_twice()',
  );
  const byTrigger = differencesOf('message', await counted());
  assert.match(byTrigger.join('\n'), /message: \d+ statements, more than/);
  await db.query('DROP FUNCTION counted_twice CASCADE');

  // On a busy machine a page may be pruned at each request from here on, which is a record of WAL more: the index is counted beside that.
  const before = await counted();
  assert.deepEqual(
    differencesOf('message', before).filter((line) => !line.includes('WAL')),
    [],
  );
  await db.query('CREATE INDEX one_more ON message (workshop_id, recipient)');
  const after = await counted();
  assert.ok(after.counts.walRecords > before.counts.walRecords, 'records');
  assert.ok(after.counts.walBytes > before.counts.walBytes, 'bytes');
  const byIndex = differencesOf('message', after).join('\n');
  assert.match(byIndex, /message: \d+ WAL records, more than/);
  assert.match(byIndex, /message: \d+ WAL bytes, more than/);
  await db.query('DROP INDEX one_more');
});
