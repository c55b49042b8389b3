import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('texts are quoted where they have to be', () => {
  assert.equal(
    csvLine(['a', 'b c', 'd,e', 'f"g', 'h\ni', ' j', '', null, 4, -2.5]),
    'a,b c,"d,e","f""g","h\ni"," j",,,4,-2.5\r\n',
  );
});

test('no text is a formula', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', '\n', '＝'])
    assert.match(csvLine([`${begin}HYPERLINK("x")`]), /^"'/, JSON.stringify(begin));
});
