import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { twilioCallbacks } from './callbacks.ts';
import { isSigned } from './signature.ts';

const authToken = '12345';
const publicUrl = 'https://pitlane.example';
const callbacks = twilioCallbacks(authToken, publicUrl);
const sid = 'SM2003cbd5e6a3701999aa3e5f20ff2787';

type Parameters = Readonly<Record<string, string>>;
const request = (url: string, parameters: Parameters = {}, signature?: string) => ({
  url,
  headers: signature === undefined ? {} : { 'x-twilio-signature': signature },
  body: Buffer.from(new URLSearchParams(parameters).toString()),
});

/** The worked example of Twilio's page on webhook security. */
const documented = {
  url: '/myapp.php?foo=1&bar=2',
  parameters: {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+12349013030',
    Digits: '1234',
    From: '+12349013030',
    To: '+18005551212',
  },
  signature: '0/KCTR6DLpKmkAf8muzZqo1nDgQ=',
};

/** An inbound SMS to a real Twilio number, from a test of Twilio's SDK for Ruby. */
const recorded = {
  token: '2bd9e9638872de601313dc77410d3b23',
  publicUrl: 'http://twiliotests.heroku.com',
  url: '/validate/sms',
  parameters: {
    ToState: 'CA',
    FromState: 'CA',
    AccountSid: 'ACba8bc05eacf94afdae398e642c9cc32d',
    SmsMessageSid: sid,
    Body: 'Orly',
    From: '+14159354345',
    FromCity: 'SAN FRANCISCO',
    SmsStatus: 'received',
    FromZip: '94107',
    FromCountry: 'US',
    To: '+14158141819',
    ToCity: 'SAN FRANCISCO',
    ToZip: '94105',
    ToCountry: 'US',
    ApiVersion: '2010-04-01',
    SmsSid: sid,
  },
  signature: 'mxeiv65lEe0b8L6LdVw2jgJi8yw=',
};

test('Twilio’s own examples are genuine', () => {
  const { url, parameters, signature } = documented;
  const example = twilioCallbacks(authToken, 'https://mycompany.com');
  assert.equal(example.isGenuine(request(url, parameters, signature)), true);
  const real = twilioCallbacks(recorded.token, recorded.publicUrl);
  assert.equal(real.isGenuine(request(recorded.url, recorded.parameters, recorded.signature)), true);
});

test('a change of one character in the URL, a parameter, the token or the signature is not genuine', () => {
  const { url, parameters, signature } = documented;
  const example = twilioCallbacks(authToken, 'https://mycompany.com');
  for (const [name, changed] of [
    ['path', request(url.replace('myapp', 'Myapp'), parameters, signature)],
    ['query', request(url.replace('bar=2', 'bar=3'), parameters, signature)],
    ['no query', request('/myapp.php', parameters, signature)],
    ['order of the query', request('/myapp.php?bar=2&foo=1', parameters, signature)],
    ['value', request(url, { ...parameters, Digits: '1235' }, signature)],
    ['one more', request(url, { ...parameters, X: '' }, signature)],
    ['none', request(url, {}, signature)],
    ['signature', request(url, parameters, signature.replace('0/K', '0/k'))],
    ['short signature', request(url, parameters, signature.slice(0, -1))],
    ['empty signature', request(url, parameters, '')],
    ['no signature', request(url, parameters)],
  ] as const) {
    assert.equal(example.isGenuine(changed), false, name);
  }
  const genuine = request(url, parameters, signature);
  assert.equal(twilioCallbacks('12346', 'https://mycompany.com').isGenuine(genuine), false);
  assert.equal(twilioCallbacks(authToken, 'https://mycompany.org').isGenuine(genuine), false);
  const twice = { ...genuine, headers: { 'x-twilio-signature': [signature, signature] } };
  assert.equal(example.isGenuine(twice), false);
});

test('Twilio may sign the URL with the port of its scheme, or without it', () => {
  for (const signed of ['https://pitlane.example', 'https://pitlane.example:443']) {
    const signature = getExpectedTwilioSignature(authToken, `${signed}/gateways/twilio/inbound`, { A: 'b' });
    assert.equal(callbacks.isGenuine(request('/gateways/twilio/inbound', { A: 'b' }, signature)), true);
  }
});

const parameters = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), {
  maxKeys: 12,
});

test('for any parameters, what Twilio signs is genuine, and nothing else is', () => {
  fc.assert(
    fc.property(parameters, fc.uuid(), fc.string({ unit: 'grapheme' }), (form, reference, added) => {
      const url = `/gateways/twilio/reports?reference=${reference}`;
      const signature = getExpectedTwilioSignature(authToken, `${publicUrl}${url}`, form);
      assert.equal(callbacks.isGenuine(request(url, form, signature)), true);
      const other = { ...form, Body: `${form['Body'] ?? ''}${added}x` };
      assert.equal(callbacks.isGenuine(request(url, other, signature)), false);
      const stranger = getExpectedTwilioSignature('another token', `${publicUrl}${url}`, form);
      assert.equal(callbacks.isGenuine(request(url, form, stranger)), false);
    }),
  );
});

test('in a GET the parameters are in the URL, which is signed', () => {
  const query = `MessageSid=${sid}&From=%2B61491570006&To=%2B61400000000&Body=Yes%20please`;
  const url = `/gateways/twilio/inbound?${query}`;
  const signature = getExpectedTwilioSignature(authToken, `${publicUrl}${url}`, {});
  const came = request(url, {}, signature);
  assert.equal(callbacks.isGenuine(came), true);
  const answer = {
    gatewayId: sid,
    from: '+61491570006',
    to: '+61400000000',
    body: 'Yes please',
    optOut: null,
  };
  assert.deepEqual(callbacks.inbound(came), [answer]);
});

test('a repeated parameter is signed with both values', () => {
  const url = '/gateways/twilio/inbound';
  const signature = getExpectedTwilioSignature(authToken, `${publicUrl}${url}`, { A: ['2', '1'] });
  const came = { ...request(url, {}, signature), body: Buffer.from('A=1&A=2') };
  assert.equal(callbacks.isGenuine(came), true);
  assert.equal(callbacks.isGenuine({ ...came, body: Buffer.from('A=1') }), false);
});

test('a request with more parameters than Twilio sends is not hashed', () => {
  const form = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`P${at}`, '']));
  const signature = getExpectedTwilioSignature(authToken, `${publicUrl}/x`, form);
  assert.equal(callbacks.isGenuine(request('/x', form, signature)), false);
});

const addresses = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://'),
    fc.constantFrom('', 'user:pass@'),
    fc.constantFrom('pitlane.example', 'PITLANE.example', '[::1]', '127.0.0.1'),
    fc.constantFrom('', ':', ':443', ':80', ':8443'),
    fc.constantFrom('', '/', "/in'bound", '/a b/%41', '/ü'),
    fc.constantFrom('', '?', "?Body=it's%20(me)*!~", '?a=1&a=2&b', '?q=%zz&ü=é', '?x=1#top'),
  )
  .map((parts) => parts.join(''));
const signers = fc.constantFrom<(url: string) => string>(
  (url) => url,
  (url) => new URL(url).toString(),
  (url) => url.replace(/^(https?:\/\/[^/?#]*?)(:\d*)?(?=[/?#]|$)/i, '$1'),
  (url) => url.replace(/^(https?:\/\/[^/?#]*?)(:\d*)?(?=[/?#]|$)/i, '$1:443'),
  (url) => new URL(url).toString().replaceAll("'", '%27'),
  (url) => `${url}x`,
);

test('for every form of a URL, the check agrees with Twilio’s own library', () => {
  const form = { A: ['b'], C: ['2', '1', '2'] };
  const verdicts = { true: 0, false: 0 };
  fc.assert(
    fc.property(addresses, signers, (url, signed) => {
      const signature = getExpectedTwilioSignature(authToken, signed(url), form);
      const expected = validateRequest(authToken, signature, url, form);
      verdicts[`${expected}`]++;
      assert.equal(isSigned(authToken, signature, url, form), expected);
    }),
    { numRuns: 500 },
  );
  assert.ok(verdicts.true > 50 && verdicts.false > 50, JSON.stringify(verdicts));
  assert.throws(() => isSigned(authToken, '', 'no address', {}));
});
