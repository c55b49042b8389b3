/** Quiet hours in SQL and in the TypeScript rule agree, to the minute in which they begin and end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isQuiet as isQuietByRule } from '#base/values/quiet-hours.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { isQuiet } from './quiet.ts';

const { db } = await createTestDatabase({ poolSize: 1 });
const minuteMs = 60_000;

test('SQL and the rule agree whether a time is quiet, at each edge and across changes of the clocks', async () => {
  const hours = [
    { from: '20:00', to: '08:00' },
    { from: '01:30', to: '05:00' },
    { from: '00:00', to: '02:30' },
  ];
  // The clocks of Melbourne go back on the first Sunday of April 2030, and forward on that of October.
  const days = ['2030-04-06', '2030-04-07', '2030-06-15', '2030-10-06'].map((day) =>
    Date.parse(`${day}T00:00Z`),
  );
  const asked = hours.flatMap((quiet) =>
    days.flatMap((day) =>
      Array.from({ length: 48 * 2 }, (_, n) => day + n * 15 * minuteMs).flatMap((at) =>
        [-1, 0, 1].map((ms) => ({ ...quiet, at: new Date(at + ms) })),
      ),
    ),
  );
  for (const timezone of ['Australia/Melbourne', 'UTC']) {
    const rows = await db.query<{ isQuiet: boolean }>(
      `SELECT ${isQuiet('entry', 'entry.at', '$4')} AS is_quiet
         FROM unnest($1::time[], $2::time[], $3::timestamptz[]) WITH ORDINALITY AS entry (quiet_from, quiet_until, at, n) ORDER BY n`,
      [asked.map(({ from }) => from), asked.map(({ to }) => to), asked.map(({ at }) => at), timezone],
    );
    const expected = asked.map(({ at, ...quiet }) => isQuietByRule(at, quiet, timezone));
    assert.deepEqual(
      rows.map((row) => row.isQuiet),
      expected,
    );
    assert.ok(expected.includes(true) && expected.includes(false));
  }
});
