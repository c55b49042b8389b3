/** What stands around the rows of a file: a line of the separator, titles above, a total below (specification: Imports 12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from '../../../test/fixtures/import-rows.ts';

const names = async (content: string) => {
  const { good, faults, notes } = await readRows('customers', content);
  return { names: good.map(({ customer }) => customer.name), faults, notes };
};

test('sep= before the headings, and titles above them, are no headings; a total is left out; each but the first is named', async () => {
  const read = await names(
    'sep=;\nCustomer list\nExported 3/4/2026;;\n\nName;Mobile;Rego\nKim;0491570156;K1\nAnn;;A1\nTotal;2;\n',
  );
  assert.deepEqual(read, {
    names: ['Kim', 'Ann'],
    faults: [],
    notes: [
      'Line 2 stands above the names of the columns, and is not read',
      'Line 3 stands above the names of the columns, and is not read',
      'Line 8 is the total of the lines above it, and is left out',
    ],
  });
  // A title may be a word that is a heading elsewhere.
  assert.deepEqual((await names('Contact\nName,Mobile\nKim,0491570156\n')).names, ['Kim']);
  assert.deepEqual((await names('sep=\t\nName\tMobile\nKim\t0491570156\n')).names, ['Kim']);
});

test('no row of a person is a total, and only the last line can be one', async () => {
  for (const row of ['Total Care Pty,,T1', 'Total,0491570156,', 'Totally Kim,,', 'Sub,,Total'])
    assert.equal((await names(`Name,Mobile,Rego\nKim,0491570156,K1\n${row}\n`)).names.length, 2, row);
  for (const row of ['Total: 240,,', ',,', 'Grand total,,', 'TOTAL CUSTOMERS,"1,240",', 'Total,"$1,240.50"'])
    assert.deepEqual((await names(`Name,Mobile,Rego\nKim,0491570156,K1\n${row}\n`)).names, ['Kim'], row);
  const middle = await names('Name,Mobile\nTotal,2\nKim,0491570156\n');
  assert.deepEqual(
    middle.faults.map(({ line, column }) => [line, column]),
    [[2, 'Mobile']],
  );
});

test('a file whose first line names nothing is refused for its first line', async () => {
  await assert.rejects(names('a,b\n1,2\n'), /neither a column Mobile nor a column Name/);
  await assert.rejects(names('sep=,\na,b\n1,2\n'), /neither a column Mobile nor a column Name/);
});
