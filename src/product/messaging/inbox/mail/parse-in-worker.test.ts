/** The limits of time and memory for parsing an e-mail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesAtMost, mailAtMost, partsAtMost, whyNotRead } from './bounds.ts';
import { parseInWorker, TooComplex } from './parse-in-worker.ts';

const plain = (text: string) => Buffer.from(`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`);

test('the thread returns the text; an e-mail that can’t be parsed is null', async () => {
  assert.deepEqual(await parseInWorker(plain('At 5 pm. ✓'), 'words'), { text: 'At 5 pm. ✓' });
  const deep = Array.from(
    { length: 30 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  );
  assert.equal(await parseInWorker(Buffer.from(deep.join('')), 'words'), null);
});

test('the thread is terminated when it takes too long, or too much memory (specification: Answers of the workshop 5)', async () => {
  await assert.rejects(parseInWorker(plain('Hi'), 'words', { timeoutMs: 1 }), TooComplex);
  const large = plain('\n'.repeat(linesAtMost - 10));
  await assert.rejects(parseInWorker(large, 'words', { heapMb: 10 }), TooComplex);
});

test('bytes, lines and parts are counted before anything is parsed', () => {
  const why = (text: string) => whyNotRead(Buffer.from(text));
  assert.match(why('x'.repeat(mailAtMost + 1)) ?? '', /^is larger than 10 MB$/);
  assert.match(why('\n'.repeat(linesAtMost + 1)) ?? '', /^has more than 150,000 lines$/);
  assert.match(why('x\n--b'.repeat(partsAtMost + 1)) ?? '', /^has more than 1,000 parts$/);
  const photo = `${'A'.repeat(76)}\r\n`;
  assert.equal(why(photo.repeat(Math.floor(mailAtMost / photo.length))), null);
});
