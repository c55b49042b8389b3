import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf, mailboxText, parseMailbox } from './mailbox.ts';

test('a name with an address, quoted or not, and an address alone', () => {
  const address = 'desk@Motors.example';
  assert.deepEqual(parseMailbox(`Main St Motors <${address}>`), { name: 'Main St Motors', address });
  assert.deepEqual(parseMailbox(`"Motors, Inc." <${address}>`), { name: 'Motors, Inc.', address });
  assert.deepEqual(parseMailbox(` ${address} `), { name: '', address });
  assert.deepEqual(parseMailbox(`<${address}>`), { name: '', address });
});

test('any other text is refused', () => {
  for (const text of [
    '',
    'Motors',
    'a@b',
    'x <a@b.co> <c@d.co>',
    'x\r\nBcc: e@f.co <a@b.co>',
    '<a@b.co> x',
    'a b@c.co',
  ]) {
    assert.equal(parseMailbox(text), null, text);
  }
});

test('it is formatted as it was written, and its domain in lower case', () => {
  assert.equal(mailboxText({ name: 'Motors', address: 'a@b.co' }), 'Motors <a@b.co>');
  assert.equal(mailboxText({ name: '', address: 'a@b.co' }), 'a@b.co');
  assert.equal(domainOf({ name: '', address: 'a@B.Co' }), 'b.co');
});
