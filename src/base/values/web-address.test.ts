import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWebAddress } from './web-address.ts';

test('absolute http and https addresses', () => {
  for (const text of [
    'https://calls.example/1.mp3',
    'http://calls.example:8080/r?id=1#t=3',
    'HTTPS://Calls.Example',
    'https://[2001:db8::1]/1',
  ]) {
    assert.equal(isWebAddress(text), true, text);
  }
});

test('no other scheme, no credentials, nothing that is no address', () => {
  for (const text of [
    '',
    'calls.example/1.mp3',
    '//calls.example/1',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://calls.example/1',
    'https://',
    'https://user:secret@calls.example/1',
    'https://calls.example/a b',
    'https:\\\\calls.example',
    'https://calls.example:99999/',
    'see https://calls.example/1',
  ]) {
    assert.equal(isWebAddress(text), false, text);
  }
});
