import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../../../test/fixtures/embedded.ts';
import { firstError, tailOf } from './program-error.ts';

const at = '2026-01-01 00:00:00.000 UTC [1]';

test('the most severe line is shown without its prefix, and with its detail', () => {
  for (const [output, expected] of [
    [
      `${at} LOG:  starting\n${at} FATAL:  is not compatible\n${at} DETAIL:  made by 17\n`,
      'is not compatible (made by 17)',
    ],
    [`${at} LOG:  starting\n${at} PANIC:  no space left\n`, 'no space left'],
    [
      'creating directory …\ninitdb: error: could not create directory "x": Permission denied\n',
      'could not create directory "x": Permission denied',
    ],
    ['initdb: warning: x\nFATAL:  could not extend file\nchild process exited\n', 'could not extend file'],
    [
      'unshare: unshare failed: Operation not permitted\n',
      'unshare: unshare failed: Operation not permitted',
    ],
    ['', 'it gave no reason'],
  ] as const) {
    assert.equal(firstError(output), expected);
  }
});

test('of a long log the end is read', (t) => {
  const path = join(makeFolder(t), 'log');
  for (const [content, expected] of [
    ['', ''],
    ['short\n', 'short\n'],
    [`${'x'.repeat(1_000_000)}PANIC\n`, `${'x'.repeat(64 * 1024 - 6)}PANIC\n`],
  ] as const) {
    writeFileSync(path, content);
    assert.equal(tailOf(path), expected);
  }
});
