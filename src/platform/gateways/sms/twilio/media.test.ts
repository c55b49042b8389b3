/** Which addresses are given Twilio's credentials (MediaUrl of "Twilio's request to your application"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaUrl } from './media.ts';

const path = '/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1';
const own = 'https://api.sydney.au1.twilio.com';

test('those of the API of Twilio, and of the API that is configured', () => {
  for (const url of [`https://api.twilio.com${path}`, `${own}${path}`]) {
    assert.equal(mediaUrl(url, own)?.href, url);
  }
});

for (const url of [
  `http://api.twilio.com${path}`,
  `https://api.twilio.com:8443${path}`,
  `https://api.twilio.com.example.com${path}`,
  `https://api.twilio.com@example.com${path}`,
  `https://user@api.twilio.com${path}`,
  `https://example.com/https://api.twilio.com${path}`,
  'https://api.twilio.com/2010-04-01/Accounts/../../other',
  'https://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  '//api.twilio.com',
  '',
]) {
  test(`not ${url || 'an empty one'}`, () => assert.equal(mediaUrl(url, own), null));
}
