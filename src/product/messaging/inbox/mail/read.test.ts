/** An e-mail is read to its end, and kept up to the limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailAtMost } from './bounds.ts';
import { readMail } from './read.ts';

test('one that is small is whole', async () => {
  async function* source() {
    yield Buffer.from('From: ');
    yield Buffer.from('Desk');
  }
  assert.equal(String(await readMail(source())), 'From: Desk');
});

test('of one without an end in sight one byte too many is kept, and the rest is read', async () => {
  const chunk = Buffer.alloc(1024 * 1024 - 1, 'x');
  let read = 0;
  async function* source() {
    for (; read < 40; read++) yield chunk;
  }
  assert.equal((await readMail(source())).length, mailAtMost + 1);
  assert.equal(read, 40);
});
