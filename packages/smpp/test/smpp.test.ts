/** The gateway against the server side of another library: what arrives there, and what outcomes its responses give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { certificate } from '../../../test/fixtures/certificate.ts';
import { until } from '../../../test/harness/wait.ts';
import { connectTo, newPhone, untilBound } from './connect.ts';
import { type Smsc, startSmsc } from './smsc.ts';

const plain = (phone: string) => phone.slice(1);

test('it binds as a transceiver of SMPP 3.4, with the credentials of the account', async (t) => {
  const smsc = await startSmsc();
  await untilBound(
    connectTo(t, smsc.port, { credentials: { systemId: 'a', password: 'b', systemType: 'C' } }),
  );
  const [bind] = smsc.binds;
  const fields = ['command', 'system_id', 'password', 'system_type', 'interface_version', 'address_range'];
  assert.deepEqual(
    fields.map((field) => bind?.[field]),
    ['bind_transceiver', 'a', 'b', 'C', 0x34, ''],
  );
});

for (const [body, coding, parts] of [
  ['Your car is ready: 20 € + [parts] & ~more @ $', 0, 1],
  ['x'.repeat(160), 0, 1],
  [`${'y'.repeat(159)}€`, 0, 2],
  ['Prêt ✓', 8, 1],
  ['🚗'.repeat(35), 8, 1],
  ['🚗'.repeat(36), 8, 2],
  ['', 0, 1],
] as const) {
  test(`${parts} of data coding ${coding}: ${body.slice(0, 20)}`, async (t) => {
    const smsc = await startSmsc();
    const to = newPhone();
    const outcome = await connectTo(t, smsc.port).send({ to, body });
    const ids = smsc.submitted.map((_, index) => String(index + 1));
    assert.deepEqual(outcome, { state: 'accepted', gatewayId: '1', segmentIds: ids });
    assert.deepEqual(smsc.textsTo(plain(to)), [body]);
    assert.equal(smsc.submitted.length, parts);
    const { pdu } = smsc.submitted[0] ?? {};
    assert.deepEqual(
      [pdu?.['data_coding'], pdu?.['esm_class'], pdu?.['registered_delivery'], pdu?.['dest_addr_ton']],
      [coding, parts > 1 ? 0x40 : 0, 1, 1],
    );
  });
}

test('any text arrives as it was written, whatever its alphabet and length', async (t) => {
  const smsc = await startSmsc();
  const { send } = connectTo(t, smsc.port, { window: 50 });
  const unit = fc.constantFrom(
    'a',
    'B',
    ' ',
    '€',
    '{',
    '@',
    '\n',
    'é',
    'https://a.example/b',
    '✓',
    '🚗',
    'ñ',
    '_',
  );
  const gsm = fc.constantFrom('a', 'B', ' ', '€', '{', '@', '\n', 'é', 'https://a.example/b', 'Ω');
  const text = (of: fc.Arbitrary<string>) => fc.array(of, { maxLength: 400 }).map((units) => units.join(''));
  await fc.assert(
    fc.asyncProperty(fc.oneof(text(unit), text(gsm)), async (body) => {
      const to = newPhone();
      smsc.submitted.length = 0;
      const outcome = await send({ to, body });
      assert.equal(outcome.state, 'accepted');
      assert.deepEqual(smsc.textsTo(plain(to)), [body]);
    }),
    { numRuns: 60 },
  );
});

for (const [from, source, ton, npi, shown] of [
  ['+61400000000', null, 1, 1, '61400000000'],
  ['HARBOUR', null, 5, 0, 'HARBOUR'],
  ['19901', null, 3, 0, '19901'],
  [null, 'PITLANE', 5, 0, 'PITLANE'],
  [null, null, 0, 0, ''],
] as const) {
  test(`the sender ${from}, or else ${source}, has type ${ton} and plan ${npi}`, async (t) => {
    const smsc = await startSmsc();
    await connectTo(t, smsc.port, { source }).send({ from });
    const { pdu } = smsc.submitted[0] ?? {};
    assert.deepEqual(
      [pdu?.['source_addr_ton'], pdu?.['source_addr_npi'], pdu?.['source_addr']],
      [ton, npi, shown],
    );
  });
}

for (const [status, expected] of [
  [0x0b, { permanent: true, reason: 'invalidNumber' }],
  [0x0a, { permanent: true, reason: 'refused' }],
  [0x58, { permanent: false, reason: 'temporarilyRefused', elsewhere: true }],
  [0x14, { permanent: false, reason: 'temporarilyRefused', elsewhere: true }],
  [0x08, { permanent: false, reason: 'temporarilyRefused', elsewhere: true }],
  [0x04, { permanent: false, reason: 'gatewayUnavailable', elsewhere: true }],
  [0x45, { permanent: true, reason: 'refused' }],
  // About the gateway, not the message: another gateway may accept it.
  [0x15, { permanent: false, reason: 'gatewayUnavailable', elsewhere: true }],
  [0x48, { permanent: true, reason: 'refused', elsewhere: true }],
  [0x49, { permanent: true, reason: 'refused', elsewhere: true }],
  // Neither SMPP nor the settings define it.
  [0x4ff, { permanent: false, reason: 'temporarilyRefused', elsewhere: true, unclear: true }],
] as const) {
  test(`a response with status 0x${status.toString(16)} is a refusal: ${expected.reason}`, async (t) => {
    const smsc = await startSmsc({ answer: () => ({ status }) });
    const outcome = await connectTo(t, smsc.port).send();
    assert.partialDeepStrictEqual(outcome, { state: 'refused', ...expected });
    assert.equal('elsewhere' in outcome, 'elsewhere' in expected);
    assert.equal('notAsked' in outcome, false);
    assert.match(
      outcome.state === 'refused' ? outcome.detail : '',
      /^The carrier .+ \((ESME_R\w+|status 0x\w+)\)\.$/,
    );
  });
}

test("ESME_RINVSRCADR of a sender of ours is not about the message: another gateway may take it; of the workshop's it is", async (t) => {
  const smsc = await startSmsc({ answer: () => ({ status: 0x0a }) });
  const { send } = connectTo(t, smsc.port, { source: '+61400000001' });
  assert.partialDeepStrictEqual(await send({ from: null }), { permanent: true, elsewhere: true });
  assert.equal('elsewhere' in (await send({ from: '+61400000002' })), false);
});

const long = 'abcdefghi '.repeat(40);

test('a long message whose first part is refused is refused, and no further part goes out', async (t) => {
  const smsc = await startSmsc({ answer: () => ({ status: 0x0b }) });
  const outcome = await connectTo(t, smsc.port).send({ body: long });
  assert.partialDeepStrictEqual(outcome, { state: 'refused', reason: 'invalidNumber' });
  assert.equal(smsc.submitted.length, 1);
});

test('a later part for which the carrier is too busy is tried again', async (t) => {
  let busy = 2;
  const smsc = await startSmsc({
    answer: ({ part }, id) => (part?.[2] === 2 && busy-- > 0 ? { status: 0x58 } : { id }),
  });
  const to = newPhone();
  const outcome = await connectTo(t, smsc.port).send({ to, body: long });
  assert.equal(outcome.state, 'accepted');
  assert.equal(outcome.state === 'accepted' && outcome.segmentIds?.length, 3);
  assert.deepEqual(smsc.submitted.map(({ part }) => part?.[2]).sort(), [1, 2, 2, 2, 3]);
});

test('a later part that is refused for good leaves the outcome unknown, with a detail', async (t) => {
  const smsc = await startSmsc({ answer: ({ part }, id) => (part?.[2] === 3 ? { status: 0x0a } : { id }) });
  const outcome = await connectTo(t, smsc.port).send({ body: long });
  assert.deepEqual(outcome, {
    state: 'unknown',
    detail:
      'The carrier accepted 2 of 3 parts and did not take or answer the rest. The carrier does not allow this sender (ESME_RINVSRCADR).',
  });
});

test('a connection that is lost after the hand-over leaves the outcome unknown', async (t) => {
  const smsc = await startSmsc({
    answer: ({ session }) => {
      session.destroy();
      return 'none';
    },
  });
  assert.partialDeepStrictEqual(await connectTo(t, smsc.port).send(), {
    state: 'unknown',
    detail: 'The carrier did not answer.',
  });
});

test('ids of segments match however they are padded; without ids our reference replaces them', async (t) => {
  const given = ['00AB', ''].values();
  const smsc = await startSmsc({ answer: () => ({ id: given.next().value ?? '' }) });
  const { send } = connectTo(t, smsc.port);
  assert.deepEqual(await send(), { state: 'accepted', gatewayId: '00AB', segmentIds: ['ab'] });
  assert.deepEqual(await send({ reference: 'R-1' }), { state: 'accepted', gatewayId: 'R-1' });
});

test('no more requests than the window wait for a response, and a message that finds no place in time was not handed over', async (t) => {
  const open = Promise.withResolvers<void>();
  const smsc: Smsc = await startSmsc({
    answer: async (_, id) => {
      await open.promise;
      return { id };
    },
  });
  const { send } = connectTo(t, smsc.port, { window: 3 });
  const under = Array.from({ length: 3 }, () => send());
  await until('the window is full', () => smsc.submitted.length === 3);
  assert.deepEqual(await send(), {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: 'The connection to the carrier has too much to do.',
    elsewhere: true,
    notAsked: true,
  });
  const later = Array.from({ length: 20 }, () => send({ body: long }));
  open.resolve();
  for (const outcome of await Promise.all([...under, ...later])) assert.equal(outcome.state, 'accepted');
  assert.equal(smsc.mostOutstanding(), 3);
  assert.equal(smsc.submitted.length, 3 + 20 * 3);
});

test('over TLS, when the certificate is valid for the host', async (t) => {
  const smsc = await startSmsc({ tls: true });
  const endpoint = { host: '127.0.0.1', port: smsc.port, tls: true };
  const trusting = connectTo(t, smsc.port, { endpoint: { ...endpoint, ca: certificate } });
  assert.equal((await trusting.send()).state, 'accepted');

  for (const [refused, code] of [
    [endpoint, /DEPTH_ZERO_SELF_SIGNED_CERT/],
    // The same machine, by a name that the certificate lacks.
    [{ ...endpoint, host: '127.1', ca: certificate }, /ERR_TLS_CERT_ALTNAME_INVALID/],
  ] as const) {
    const outcome = await connectTo(t, smsc.port, { endpoint: refused }).send();
    assert.partialDeepStrictEqual(outcome, {
      state: 'refused',
      reason: 'gatewayUnavailable',
      notAsked: true,
    });
    assert.match(outcome.state === 'refused' ? outcome.detail : '', code);
  }
  assert.equal(smsc.binds.length, 1);
});

test('a look-up is always unknown', async (t) => {
  const { gateway } = connectTo(t, 1);
  const answer = await gateway.lookUp();
  assert.deepEqual(answer, { state: 'unknown', permanent: true });
});
