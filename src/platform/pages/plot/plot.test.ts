/** Plots from what is counted: columns that stand on zero, ticks that are whole numbers, labels that leave each other room. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { columnsPlot } from './columns.ts';
import { barWidths, labelSteps, stackedColumns } from './geometry.ts';

const [top, base] = [12, 172];

test('columns are as high as their values say, one on the other, from zero (specification: The report of a workshop 7)', async () => {
  const anything = fc.integer({ min: 0, max: 90 }).chain((count) =>
    fc.array(
      fc.record({
        name: fc.string(),
        values: fc.array(fc.nat({ max: 5_000 }), { minLength: count, maxLength: count }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (series) => {
      const count = series[0]?.values.length ?? 0;
      const { columns, ticks } = await stackedColumns(series, { count, top, base });
      const [zero, last] = [ticks[0], ticks.at(-1)];
      assert.deepEqual(zero, { value: 0, y: base });
      assert.ok(
        last !== undefined && last.y >= top && ticks.length >= 2 && ticks.length <= 8,
        JSON.stringify(ticks),
      );
      for (const { value } of ticks) assert.ok(Number.isInteger(value));
      const pixels = (base - last.y) / last.value;
      assert.equal(columns.length, count);
      for (const [n, { x, width, segments }] of columns.entries()) {
        assert.ok(x >= 0 && x + width <= 100.01 && (n === 0 || x > (columns[n - 1]?.x ?? 0)));
        let foot = base;
        for (const { series: which, y, height } of segments) {
          assert.ok(Math.abs(height - (series[which]?.values[n] ?? 0) * pixels) < 0.05);
          assert.ok(Math.abs(y + height - foot) < 0.05 && y >= top - 0.05);
          foot = y;
        }
        assert.equal(segments.length, series.filter(({ values }) => (values[n] ?? 0) > 0).length);
      }
    }),
    { numRuns: 60 },
  );
});

test('labels: at most twelve, at most six on a phone, and those among the others', () => {
  for (const steps of [
    [1, 2, 7, 14, 28, 56],
    [1, 2, 4, 8, 13],
    [1, 2, 3, 6],
  ])
    for (let count = 0; count <= 400; count++) {
      const { wide, narrow } = labelSteps(count, steps);
      assert.ok(
        Math.ceil(count / wide) <= 12 && Math.ceil(count / narrow) <= 6,
        `${count}: ${wide}, ${narrow}`,
      );
      assert.equal(narrow % wide, 0);
    }
  assert.deepEqual(labelSteps(28, [1, 2, 7, 14]), { wide: 7, narrow: 7 });
});

test('nothing, one value and zeros are drawn as such; what a name holds is text (specification: The report of a workshop 7)', async () => {
  const plot = (values: readonly number[]) =>
    columnsPlot({
      ...{ id: 'p', title: 'A <b> & "c"', steps: [1], empty: 'None.' },
      labels: values.map((_, n) => ({ short: `${n}`, long: `Day ${n}` })),
      series: [{ name: '<i>', tone: 'striped', values }],
    }).then(String);
  for (const values of [[], [0], [0, 0, 0], [1], [7, 0]]) {
    const text = await plot(values);
    assert.doesNotMatch(text, /NaN|undefined|Infinity|<b>|<i>|style=/, text);
    assert.equal(
      text.includes('None.'),
      values.every((value) => value === 0),
      text,
    );
    assert.equal(
      text.match(/url\(#plot-striped\)/g)?.length ?? 0,
      values.filter((value) => value > 0).length,
    );
  }
  assert.match(await plot([7, 3]), /Most: 7, Day 0\./);
});

test('the longest bar has all the width, and nothing has none', async () => {
  assert.deepEqual(await barWidths([5, 10, 0]), [50, 100, 0]);
  assert.deepEqual(await barWidths([]), []);
  assert.deepEqual(await barWidths([0]), [0]);
});
