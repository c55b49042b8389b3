/** Reading an e-mail to its end, keeping no more than the limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailAtMost } from './bounds.ts';
import { readMail } from './read.ts';

test('a small e-mail is complete', async () => {
  async function* source() {
    yield Buffer.from('From: ');
    yield Buffer.from('Desk');
  }
  assert.equal(String(await readMail(source())), 'From: Desk');
});

test('of an endless e-mail, the limit and one more byte are kept, and the rest is discarded', async () => {
  const chunk = Buffer.alloc(1024 * 1024 - 1, 'x');
  let read = 0;
  async function* source() {
    for (; read < 40; read++) yield chunk;
  }
  assert.equal((await readMail(source())).length, mailAtMost + 1);
  assert.equal(read, 40);
});
