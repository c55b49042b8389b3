import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Environment } from '#base/config/setting.ts';
import { records } from '#records.ts';
import { statusStyled } from './colours.ts';
import { cell, details, printResult } from './output.ts';
import { table, tableOf } from './table.ts';
import { onTerminal } from './terminal.ts';
import { at, chooseZone, zoneNote } from './times.ts';
import { UsageError } from './usage-error.ts';

const quiet = { write: () => undefined };

/** Runs `work` as a command would, on a terminal so wide, or on none. */
function as<T>(work: () => T, columns?: number, env: Environment = {}): Promise<T> {
  const stdout = columns === undefined ? quiet : { ...quiet, isTTY: true, columns };
  return onTerminal({ stdout, stderr: quiet, env, json: false }, async () => work());
}

test('a table has aligned columns and one line a row, whatever a value holds', async () => {
  const rows = [
    { name: 'Zoë', note: 'a\nb\u001b[31m' },
    { name: '\u202e山田 太郎\u2069', note: '\u200fx\u2028y\u009bz' },
    { name: 'Longer name', note: '' },
  ];
  const shown = { NAME: (row: (typeof rows)[0]) => row.name, NOTE: (row: (typeof rows)[0]) => row.note };
  assert.equal(
    await as(() => table(rows, shown)),
    ['NAME         NOTE', 'Zoë          a b [31m', '山田 太郎    x y z', 'Longer name'].join('\n'),
  );
  assert.equal(await as(() => table([], { NAME: () => '' })), 'NAME');
});

const id = '0198c6a3-0000-7000-8000-000000000001';
const message = {
  id,
  at: '2030-03-03 09:30',
  to: '+61491570006',
  why: 'The handset is switched off, or out of reach',
};
const columns = {
  MESSAGE: (row: typeof message) => row.id,
  AT: (row: typeof message) => row.at,
  TO: (row: typeof message) => row.to,
  WHY: (row: typeof message) => row.why,
};

test('on a terminal long texts are cut, never ids, times and phones; elsewhere nothing is', async () => {
  assert.equal(
    await as(() => table([message], columns), 86),
    [
      'MESSAGE                               AT                TO            WHY',
      `${id}  2030-03-03 09:30  +61491570006  The handset is …`,
    ].join('\n'),
  );
  assert.match(await as(() => table([message], columns)), /out of reach$/);
});

test('where that is not enough, each row is a list of its values', async () => {
  const record = `MESSAGE  ${id}\nAT       2030-03-03 09:30\nTO       +61491570006\nWHY      ${message.why}`;
  assert.equal(await as(() => table([message, message], columns), 60), `${record}\n\n${record}`);
  const parts = await as(() => {
    const next = tableOf(columns);
    return [next([message]), next([message])];
  }, 60);
  assert.deepEqual(parts, [record, `\n${record}`]);
});

test('for any texts a table is no wider than its terminal, unless its rows are lists', async () => {
  const texts = fc.array(
    fc.tuple(fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 30 })),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 23, max: 100 }), async (rows, width) => {
      const text = await as(() => table(rows, { ONE: ([one]) => one, OTHER: ([, other]) => other }), width);
      if (/^ONE +OTHER$/m.test(text)) {
        for (const line of text.split('\n')) assert.ok([...line].length <= width + 10, line);
        assert.equal(text.split('\n').length, rows.length + 1);
      } else assert.match(text, /^ONE {4}/);
    }),
    { numRuns: 50 },
  );
});

test('the next part of a table has no heading, and keeps its columns', async () => {
  const parts = await as(() => {
    const next = tableOf({ NAME: (row: string) => row, N: () => 1 });
    return [next(['a name']), next(['b'])];
  });
  assert.deepEqual(parts, ['NAME    N\na name  1', 'b       1']);
});

test('colours: on a terminal, or where FORCE_COLOR says so; never with NO_COLOR', async () => {
  const show = () => table(['failed'], { STATE: (state: string) => state });
  const coloured = '\u001b[1mSTATE\u001b[22m\n\u001b[31mfailed\u001b[39m';
  assert.equal(await as(show, 80, { TERM: 'xterm' }), coloured);
  assert.equal(await as(show, undefined, { FORCE_COLOR: '1' }), coloured);
  for (const env of [{ TERM: 'xterm', NO_COLOR: '1' }, { FORCE_COLOR: '0' }, { TERM: 'dumb' }]) {
    assert.equal(await as(show, 80, env), 'STATE\nfailed');
  }
  assert.equal(await as(show), 'STATE\nfailed');
});

test('values as people read them', async () => {
  const time = new Date('2030-01-15T00:00:00Z');
  const values = [null, undefined, time, true, false, ['a', 1], { a: 1 }, 0];
  assert.deepEqual(await as(() => values.map(cell)), [
    '',
    '',
    '2030-01-15T00:00:00.000Z',
    'yes',
    'no',
    'a, 1',
    '{"a":1}',
    '0',
  ]);
});

test('details have one value a line', async () => {
  assert.equal(
    await as(() => details({ id: 1, longer: 'x\ty', none: null })),
    'id      1\nlonger  x y\nnone',
  );
});

test('times are those of the workshop, of --tz, or UTC, and a note says which', async () => {
  const time = '2030-03-02T22:30:00Z';
  const [utc, local, none] = await as(() => [at(time), at(time, 'Australia/Melbourne'), at(null, 'UTC')]);
  assert.deepEqual([utc, local, none], ['2030-03-02T22:30:00.000Z', '2030-03-03 09:30', null]);
  const noted = (zones: readonly string[], tz?: string) =>
    as(() => {
      chooseZone(tz);
      return [...zones.map((zone) => at(time, zone)), zoneNote()];
    });
  assert.deepEqual(await noted(['Asia/Tokyo']), [
    '2030-03-03 07:30',
    'Times are those of Asia/Tokyo; --tz shows others.',
  ]);
  assert.match(
    String((await noted(['Asia/Tokyo', 'UTC'])).at(-1)),
    /^Times are those of each workshop; --tz UTC/,
  );
  assert.deepEqual(await noted(['Asia/Tokyo'], 'UTC'), ['2030-03-02 22:30', null]);
  assert.deepEqual(await noted([]), [null]);
  await assert.rejects(
    as(() => chooseZone('Mars/Base')),
    UsageError,
  );
});

test('nothing that a terminal acts on is printed: JSON has it escaped, other texts lose it', async () => {
  const hostile = 'a\u001b[2J\u009b\u202e\u2028b';
  const printed = async (json: boolean) => {
    const texts: string[] = [];
    const stdout = { write: (text: string) => texts.push(text) };
    const answer = { json: { text: hostile }, text: `text: ${hostile}` };
    await onTerminal({ stdout, stderr: quiet, env: {}, json }, async () => printResult(answer));
    return texts.join('');
  };
  assert.equal(await printed(false), 'text: a[2Jb\n');
  const json = await printed(true);
  assert.match(json, /^[ -~]+\n$/);
  assert.deepEqual(JSON.parse(json), { text: hostile });
});

test('each state of each record has its colour', async () => {
  const states = records.flatMap(({ state }): readonly string[] => state.all);
  const plain = await as(() => states.filter((state) => statusStyled(state) === state), 80, {
    ...{ FORCE_COLOR: '1', TERM: 'xterm' },
  });
  assert.deepEqual(plain, []);
});
