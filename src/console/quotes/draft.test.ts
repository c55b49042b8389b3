/** The lines of a quote as they are typed in the browser come to what the command line makes of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldError } from '#errors.ts';
import { lineText, readLines } from '#product/quotes/lines.ts';
import { edited, readRows, rowsOf } from './draft.ts';

const row = fc.record({
  title: fc.stringMatching(/^[A-Za-z][\w :.,"'<>&-]{0,20}$/).map((text) => text.trim()),
  thousandths: fc.integer({ min: 1, max: 99_999_999 }),
  cents: fc.integer({ min: 0, max: 9_999_999 }),
  comma: fc.boolean(),
});

test('however numbers are written, the form, its preview and what is stored say the same', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (typed) => {
      const rows = typed.map(({ title, thousandths, cents, comma }) => {
        const price = (cents / 100).toFixed(2);
        const quantity = String(thousandths / 1_000);
        // A comma before three digits is refused, since it could stand between thousands.
        const isClear = !/\.\d{3}$/.test(quantity);
        return {
          title,
          quantity: comma && isClear ? quantity.replace('.', ',') : quantity,
          price: comma ? price.replace('.', ',') : price,
        };
      });
      const { lines, faults, priced } = readRows(rows);
      const errors: FieldError[] = [];
      const stored = readLines(lines.map(lineText), errors);
      assert.equal(faults.length, errors.length);
      if (errors.length > 0) return;
      assert.deepEqual(stored, priced);
      for (const [n, { title, thousandths, cents }] of typed.entries())
        assert.deepEqual(
          [stored.lines[n]?.title, stored.lines[n]?.quantity, stored.lines[n]?.unitPrice],
          [title, thousandths / 1_000, cents / 100],
        );
    }),
    { numRuns: 100 },
  );
});

test('rows are read in their order, blank ones left out, and each fault is named by its row', () => {
  const form = {
    ...{ title10: 'Last', quantity10: '1', price10: '1' },
    ...{ title2: '', quantity2: '1', price2: '' },
    ...{ title1: 'First', quantity1: '0', price1: '1' },
    ...{ title3: 'Much', quantity3: '1', price3: '10000000' },
    ...{ title4: 'Less', quantity4: '1', price4: '-0.01' },
    ...{ title0: 'None', title999999: 'None', do: 'look' },
  };
  const rows = rowsOf(form);
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['First', '', 'Much', 'Less', 'Last'],
  );
  const { faults, priced } = readRows(rows);
  assert.deepEqual(
    faults.map(({ field }) => field),
    ['quantity1', 'price3', 'price4'],
  );
  assert.deepEqual([priced.lines.map(({ title }) => title), priced.total], [['Last'], '1.00']);
});

test('buttons that name no line change nothing, and the last line that is removed leaves a blank one', () => {
  const rows = [{ title: 'Only', quantity: '2', price: '3' }];
  for (const what of ['', 'look', 'up 1', 'down 1', 'remove 2', 'remove 0', 'remove', 'remove x', 'sell 1'])
    assert.deepEqual(edited(rows, { do: what }, null).rows, rows, what);
  assert.deepEqual(edited(rows, { do: 'remove 1' }, null).rows, [{ title: '', quantity: '1', price: '' }]);
  const full = Array.from({ length: 100 }, () => rows[0] ?? assert.fail());
  assert.equal(edited(full, { do: 'add' }, null).rows.length, 100);
});
