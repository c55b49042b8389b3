/** Which links of an answer are pictures that ClickSend keeps (its help, "How does inbound MMS work?"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaIn, mediaUrl } from './media.ts';

const bucket = 'https://clicksend-api-downloads.s3.ap-southeast-2.amazonaws.com';
const picture = `${bucket}/mms/a.jpg?X-Amz-Expires=604800&X-Amz-Signature=0f`;

for (const url of [
  picture,
  'https://clicksend-api-downloads.s3.amazonaws.com/a',
  'https://clicksend.com/a',
  'https://media.clicksend.com/a',
]) {
  test(`of ClickSend: ${url}`, () => assert.equal(mediaUrl(url)?.href, url));
}

for (const url of [
  'http://media.clicksend.com/a',
  'https://media.clicksend.com:8443/a',
  'https://user@media.clicksend.com/a',
  'https://clicksend.com.example.com/a',
  'https://clicksend.com@example.com/a',
  'https://notclicksend.com/a',
  'https://clicksend-api-downloads.s3.amazonaws.com.example.com/a',
  'https://clicksend-api-downloads.example.com/a',
  'https://bucket.s3.amazonaws.com/clicksend-a',
  'https://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  '//clicksend.com/a',
  '',
]) {
  test(`not of ClickSend: ${url || 'an empty one'}`, () => assert.equal(mediaUrl(url), null));
}

test('links in the text and of the field of the file, each once and without what ends a sentence', () => {
  const found = (record: object, body: string) =>
    mediaIn({ ...record }, body).map((one) => 'url' in one && one.url);
  assert.deepEqual(found({}, `Look: ${picture}`), [picture]);
  assert.deepEqual(found({}, `(${picture}). See https://my.example/ too, ${bucket}/b!`), [
    picture,
    `${bucket}/b`,
  ]);
  assert.deepEqual(found({ _media_file_url: picture }, `${picture}\n${picture}`), [picture]);
  assert.deepEqual(found({ _media_file_url: picture }, ''), [picture]);
  assert.deepEqual(found({ _media_file_url: 'https://other.example/a' }, 'no link'), []);
  assert.deepEqual(found({ _media_file_url: 7 }, `https://${')'.repeat(500_000)}`), []);
});
