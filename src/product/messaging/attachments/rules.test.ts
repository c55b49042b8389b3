/** Which attachments are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { jpegOf, pictures } from '../../../../test/fixtures/pictures.ts';
import { attachmentRows, storableAttachments } from './rows.ts';
import { judge, judgeContent, refusalOf, sizeAtMostBytes, typeOf } from './rules.ts';

test('pictures of five kinds are kept when their bytes match the declared type', () => {
  for (const [type, bytes] of Object.entries(pictures)) {
    for (const [said] of Object.entries(pictures)) {
      assert.equal(refusalOf(said, bytes), said === type ? null : 'otherContent', `${type} as ${said}`);
    }
  }
});

test('other types, empty files and files above 5 MiB are refused', () => {
  for (const type of [
    'video/mp4',
    'image/svg+xml',
    'text/html',
    'application/pdf',
    'constructor',
    'unknown',
  ]) {
    assert.equal(refusalOf(type, Buffer.from('GIF89a')), 'typeNotAllowed', type);
  }
  assert.equal(refusalOf('image/jpeg', Buffer.alloc(0)), 'empty');
  assert.equal(refusalOf('image/jpeg', jpegOf(sizeAtMostBytes)), null);
  assert.equal(refusalOf('image/jpeg', jpegOf(sizeAtMostBytes + 1)), 'tooLarge');
});

test('without a declared type the bytes decide, at once or when they are fetched', () => {
  for (const [type, bytes] of Object.entries(pictures)) {
    assert.deepEqual(judgeContent('unknown', bytes), { contentType: type, reason: null });
    const brought = judge({ contentType: 'unknown', base64: bytes.toString('base64') });
    assert.deepEqual([brought.contentType, brought.state], [type, 'stored']);
  }
  for (const text of ['<html>', '']) {
    const found = judgeContent('unknown', Buffer.from(text));
    assert.deepEqual(found, { contentType: 'unknown', reason: 'typeNotAllowed' });
  }
  const named = judge({ contentType: 'unknown', url: 'https://media.example/a' });
  assert.deepEqual([named.state, named.sourceUrl], ['waiting', 'https://media.example/a']);
  assert.equal(judge({ contentType: 'video/mp4', url: 'https://media.example/a' }).reason, 'typeNotAllowed');
});

test('content types in the forms that providers write', () => {
  for (const [said, type] of [
    ['image/JPEG; name="a.jpg"', 'image/jpeg'],
    [' image/jpg ', 'image/jpeg'],
    ['', 'unknown'],
    ['\0', 'unknown'],
    [`x/${'y'.repeat(200)}`, `x/${'y'.repeat(98)}`],
  ] as const) {
    assert.equal(typeOf(said), type);
  }
});

test('property: for any input there are at most ten rows, each stored, waiting, or refused with a reason', () => {
  const anything = fc.oneof(
    fc.record({ contentType: fc.string({ unit: anyCharacter }), base64: fc.string() }),
    fc.record({ contentType: fc.constantFrom('image/png', 'x'), url: fc.oneof(fc.string(), fc.webUrl()) }),
  );
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 12 }), (attachments) => {
      const rows = attachmentRows(storableAttachments(attachments));
      assert.equal(rows.length, Math.min(attachments.length, 10));
      for (const { state, reason, content, sourceUrl } of rows) {
        assert.ok(['stored', 'waiting', 'refused'].includes(state));
        assert.equal(state === 'refused', reason !== null);
        assert.equal(state === 'stored', content !== null);
        assert.equal(state === 'waiting', sourceUrl !== null);
      }
    }),
    { numRuns: 50 },
  );
});
