import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '../setting.ts';
import { readSmpp } from './smpp.ts';

const env = { SMPP_URL: 'smpp://smsc.example', SMPP_SYSTEM_ID: 'pitlane', SMPP_PASSWORD: 'hunter2' };

test('what is not set has its usual value', () => {
  assert.deepEqual(readSmpp(env), {
    name: 'smpp',
    endpoint: { host: 'smsc.example', port: 2775, tls: false },
    credentials: { systemId: 'pitlane', password: 'hunter2', systemType: '' },
    source: null,
    window: 10,
    enquireLinkMs: 30_000,
    receiptIds: 'same',
    vendorCodes: new Map(),
    isSeparate: false,
    form: {
      serviceType: '',
      sourceType: null,
      destinationType: null,
      alphabet: 'gsm7',
      longText: 'udh',
      userReferences: 'auto',
    },
  });
});

for (const [url, endpoint] of [
  ['smpp://10.0.0.1:9000', { host: '10.0.0.1', port: 9000, tls: false }],
  ['ssmpp://smsc.example', { host: 'smsc.example', port: 3550, tls: true }],
  ['ssmpp://smsc.example:2776/', { host: 'smsc.example', port: 2776, tls: true }],
  ['smpp://[::1]:2775', { host: '::1', port: 2775, tls: false }],
] as const) {
  test(`SMPP_URL=${url}`, () => assert.deepEqual(readSmpp({ ...env, SMPP_URL: url }).endpoint, endpoint));
}

test('what a carrier wants otherwise', () => {
  const changes = {
    SMPP_BIND: 'separate',
    SMPP_SERVICE_TYPE: 'CMT',
    SMPP_SOURCE_TYPE: '5:0',
    SMPP_DESTINATION_TYPE: '1:1',
    SMPP_ALPHABET: 'latin1',
    SMPP_LONG_TEXTS: 'payload',
    SMPP_USER_REFERENCE: 'never',
  };
  const { isSeparate, form } = readSmpp({ ...env, ...changes });
  assert.equal(isSeparate, true);
  assert.deepEqual(form, {
    serviceType: 'CMT',
    sourceType: { ton: 5, npi: 0 },
    destinationType: { ton: 1, npi: 1 },
    alphabet: 'latin1',
    longText: 'payload',
    userReferences: 'never',
  });
});

test("statuses of the carrier's own, in hexadecimal or decimal", () => {
  const { vendorCodes } = readSmpp({
    ...env,
    SMPP_VENDOR_CODES: ' 0x40B=invalidNumber, 1025=optedOut,0xff=refused,',
  });
  assert.deepEqual(
    [...vendorCodes],
    [
      [0x40b, 'invalidNumber'],
      [0x401, 'optedOut'],
      [0xff, 'refused'],
    ],
  );
});

for (const [change, said] of [
  [{ SMPP_URL: undefined }, /^SMPP_URL must be set: smpp:/],
  [{ SMPP_URL: 'smsc.example:2775' }, /^SMPP_URL must/],
  [{ SMPP_URL: 'https://smsc.example' }, /^SMPP_URL must/],
  [{ SMPP_URL: 'smpp://user:hunter2@smsc.example' }, /^SMPP_URL must/],
  [{ SMPP_URL: 'smpp://smsc.example/path' }, /^SMPP_URL must/],
  [{ SMPP_SYSTEM_ID: '' }, /^SMPP_SYSTEM_ID must be set/],
  [{ SMPP_SYSTEM_ID: 'a'.repeat(16) }, /^SMPP_SYSTEM_ID must be at most 15/],
  [{ SMPP_PASSWORD: 'hunter2-ü' }, /^SMPP_PASSWORD must be at most 64/],
  [{ SMPP_SOURCE: 'Harbour Garage' }, /^SMPP_SOURCE=Harbour Garage is neither/],
  [{ SMPP_SOURCE: '0400000000' }, /^SMPP_SOURCE/],
  [{ SMPP_WINDOW: '0' }, /^SMPP_WINDOW=0/],
  [{ SMPP_ENQUIRE_LINK: '1' }, /^SMPP_ENQUIRE_LINK=1/],
  [{ SMPP_BIND: 'both' }, /^SMPP_BIND=both is not one of: transceiver, separate/],
  [{ SMPP_SERVICE_TYPE: 'LONGER' }, /^SMPP_SERVICE_TYPE must be at most 5/],
  [{ SMPP_SOURCE_TYPE: '5' }, /^SMPP_SOURCE_TYPE=5 is not a type of number and a numbering plan/],
  [{ SMPP_DESTINATION_TYPE: '7:1' }, /^SMPP_DESTINATION_TYPE=7:1/],
  [{ SMPP_ALPHABET: 'ascii' }, /^SMPP_ALPHABET=ascii is not one of/],
  [{ SMPP_LONG_TEXTS: 'mms' }, /^SMPP_LONG_TEXTS=mms is not one of/],
  [{ SMPP_RECEIPT_IDS: 'octal' }, /^SMPP_RECEIPT_IDS=octal is not one of: same, decimal, hex/],
  [{ SMPP_USER_REFERENCE: 'yes' }, /^SMPP_USER_REFERENCE=yes is not one of: auto, always, never/],
  [{ SMPP_VENDOR_CODES: '0x401' }, /^SMPP_VENDOR_CODES: 0x401 is not a status and one of invalidNumber, /],
  [{ SMPP_VENDOR_CODES: '0=refused' }, /^SMPP_VENDOR_CODES: 0=refused is not a status/],
  [{ SMPP_VENDOR_CODES: '0x100000000=refused' }, /^SMPP_VENDOR_CODES: 0x100000000=refused is not/],
  [{ SMPP_VENDOR_CODES: '0x401=busy' }, /^SMPP_VENDOR_CODES: 0x401=busy is not/],
  [{ SMPP_VENDOR_CODES: '0x401=refused,1025=refused' }, /^SMPP_VENDOR_CODES names 1025 twice/],
] as const) {
  test(`refused: ${Object.entries(change).join('=')}`, () => {
    assert.throws(
      () => readSmpp({ ...env, ...change }),
      (error: Error) =>
        error instanceof ConfigError && said.test(error.message) && !error.message.includes('hunter2'),
    );
  });
}
