import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/fixtures/any-character.ts';
import { twilioCallbacks } from './callbacks.ts';

const callbacks = twilioCallbacks('12345', 'https://pitlane.example');
const sid = 'SM2003cbd5e6a3701999aa3e5f20ff2787';

type Parameters = Readonly<Record<string, string>>;
const request = (url: string, parameters: Parameters) => ({
  url,
  headers: {},
  body: Buffer.from(new URLSearchParams(parameters).toString()),
});

const reportUrl = '/gateways/twilio/reports?reference=R-1';
const report = (MessageStatus: string, more: Parameters = {}) =>
  request(reportUrl, {
    AccountSid: `AC${'0'.repeat(32)}`,
    ApiVersion: '2010-04-01',
    From: '+61400000000',
    MessageSid: sid,
    MessageStatus,
    SmsSid: sid,
    SmsStatus: MessageStatus,
    To: '+61491570006',
    ...more,
  });

for (const [status, more, state, detail] of [
  ['delivered', { RawDlrDoneDate: '2301231412' }, 'delivered', null],
  ['read', {}, 'delivered', null],
  ['delivered', { ErrorCode: '' }, 'delivered', null],
  ['delivered', { ErrorCode: '30036' }, 'delivered', null],
  ['undelivered', { ErrorCode: '30003' }, 'undelivered', /switched off.*30003/],
  ['undelivered', { ErrorCode: '30005' }, 'undelivered', /does not know the number.*30005/],
  ['undelivered', { ErrorCode: '30006' }, 'undelivered', /landline.*30006/],
  ['undelivered', { ErrorCode: '30007' }, 'undelivered', /filter.*30007/],
  ['failed', { ErrorCode: '21610' }, 'undelivered', /told this sender to stop.*21610/],
  ['failed', { ErrorCode: '30036' }, 'expired', /time was over.*30036/],
  ['failed', { ErrorCode: '39999' }, 'undelivered', /^Twilio's error 39999\.$/],
  [
    'failed',
    { ErrorCode: '39999', ErrorMessage: 'No way to +61491570006.' },
    'undelivered',
    /^No way to … \(Twilio's error 39999\)\.$/,
  ],
  ['undelivered', {}, 'undelivered', null],
  ['failed', { ErrorCode: 'x' }, 'undelivered', null],
  ['canceled', {}, 'undelivered', /cancelled/],
] as const) {
  test(`a report: ${status} ${JSON.stringify(more)}`, () => {
    const [found = assert.fail(), ...others] = callbacks.reports(report(status, more)) ?? [];
    assert.deepEqual([found.reference, found.state, found.segment, others], ['R-1', state, undefined, []]);
    if (detail === null) assert.equal(found.detail, null);
    else assert.match(found.detail ?? '', detail);
  });
}

test('"Outbound message status in status callbacks": every status before the last proves that Twilio has accepted the SMS', () => {
  for (const status of [
    'accepted',
    'scheduled',
    'queued',
    'sending',
    'sent',
    'partially_delivered',
    'constructor',
  ]) {
    const accepted = [{ reference: 'R-1', state: 'accepted', detail: null }];
    assert.deepEqual(callbacks.reports(report(status)), accepted, status);
  }
});

test('a report without our reference is ignored; a report without a status, and an answer, are rejected', () => {
  assert.deepEqual(callbacks.reports({ ...report('delivered'), url: '/gateways/twilio/reports' }), []);
  for (const form of [{}, { MessageSid: sid }, { MessageStatus: '' }, { ...answer, SmsStatus: 'received' }]) {
    assert.equal(callbacks.reports(request(reportUrl, form)), null);
  }
});

const answer = {
  MessageSid: sid,
  SmsSid: sid,
  From: '+61491570006',
  To: '+61400000000',
  Body: 'Yes ✓ & thanks',
  NumMedia: '0',
};
const read = (form: Parameters) => callbacks.inbound(request('/gateways/twilio/inbound', form));

test('an answer: its id, sender, receiver and text', () => {
  const [from, to] = ['+61491570006', '+61400000000'];
  assert.deepEqual(read(answer), [{ gatewayId: sid, from, to, body: 'Yes ✓ & thanks', optOut: null }]);
});

test('the text names the number of attachments', () => {
  for (const [change, body] of [
    [{ NumMedia: '1' }, 'Yes ✓ & thanks\n[1 attachment]'],
    [{ NumMedia: '3', Body: '' }, '[3 attachments]'],
    [{ NumMedia: 'x' }, 'Yes ✓ & thanks'],
  ] as const) {
    assert.equal(read({ ...answer, ...change })?.[0]?.body, body);
  }
});

test('MediaUrl0 to MediaUrl9, each with its type, are the attachments', () => {
  const media = { NumMedia: '2', MediaUrl0: 'https://a.example/0', MediaContentType0: 'image/png' };
  assert.deepEqual(read({ ...answer, ...media, MediaUrl1: 'https://a.example/1' })?.[0]?.attachments, [
    { contentType: 'image/png', url: 'https://a.example/0' },
    { contentType: '', url: 'https://a.example/1' },
  ]);
});

test('words that Twilio took for an opt-out, or its end, are told as such, whatever they are', () => {
  for (const [OptOutType, optOut] of [
    ['STOP', 'stop'],
    ['START', 'start'],
    ['HELP', null],
    ['', null],
  ] as const) {
    assert.equal(read({ ...answer, Body: 'ARRET', OptOutType })?.[0]?.optOut, optOut);
  }
});

test('an answer without its id, sender, receiver or text is rejected; an empty text is read', () => {
  assert.equal(read({ ...answer, Body: '' })?.[0]?.body, '');
  for (const absent of [['MessageSid', 'SmsSid'], ['From'], ['To'], ['Body']]) {
    const form = Object.fromEntries(Object.entries(answer).filter(([name]) => !absent.includes(name)));
    assert.equal(read(form), null, absent.join());
  }
});

test('the response sends nothing to the customer', () => {
  assert.deepEqual(callbacks.answer, {
    contentType: 'text/xml',
    body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
  });
});

test('without a signature the request is a stranger’s, whose body is not parsed', () => {
  const unread = Object.assign(Buffer.alloc(9), {
    toString: () => assert.fail('the body is parsed'),
  });
  assert.equal(callbacks.isGenuine({ url: reportUrl, headers: {}, body: unread }), false);
  assert.equal(callbacks.senderOf({ url: reportUrl, headers: {} }), 'stranger');
  assert.equal(callbacks.senderOf({ url: reportUrl, headers: { 'x-twilio-signature': 'x' } }), 'unclear');
});

test('nothing makes the reading throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: anyCharacter }), fc.string(), (url, body, signature) => {
      const came = { url, headers: { 'x-twilio-signature': signature }, body: Buffer.from(body) };
      assert.equal(callbacks.isGenuine(came), false);
      callbacks.reports(came);
      callbacks.inbound(came);
    }),
  );
});
