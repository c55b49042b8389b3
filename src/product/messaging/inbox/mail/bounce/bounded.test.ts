/** Whatever a bounce holds, it is parsed in bounded time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deliveryReport, wordsOf } from '../../../../../../test/fixtures/bounces.ts';
import { parseBounce } from './parse.ts';

test('any report, and any words, are parsed in bounded time', async () => {
  const piece = fc.constantFrom(
    ...[
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp;',
      'Final-Recipient: rfc822;',
      '\r\n',
      '\n\n',
    ],
    ...[
      ':',
      ';',
      ' ',
      '\t',
      '<a@b>',
      '5.1.1',
      '550 ',
      '--- copy of',
      'user unknown',
      '\0',
      'é',
      'x'.repeat(500),
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), fc.nat(2), async (pieces, times) => {
      const text = pieces.join('').repeat(1 + 20 * times);
      for (const raw of [deliveryReport([[text]]), wordsOf('failure', [text])]) {
        assert.ok(['failed', 'delayed', 'other'].includes((await parseBounce(raw)).kind));
      }
    }),
    { numRuns: 40 },
  );
  const before = process.cpuUsage();
  for (const each of [
    ...[
      'Status:',
      ' ',
      '\n',
      '\n ',
      '<',
      'a@',
      '  a',
      '-',
      '5.1.',
      '--- ',
      '=',
      '>',
      '> ',
      '"',
      'a@b\n',
      '550 a\n',
    ],
    ...[
      'not ',
      'deliver ',
      'if not deliver ',
      'error ',
      'host ',
      'no account ',
      'unknown or x ',
      '<<< ',
      '550-',
    ],
  ]) {
    const text = each.repeat(Math.floor(30_000 / each.length));
    await parseBounce(wordsOf('failure', [text]));
    await parseBounce(deliveryReport([[text]]));
  }
  assert.ok(process.cpuUsage(before).user < 3_000_000, String(process.cpuUsage(before).user));
});
