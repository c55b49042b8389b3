/** POST /leads/calls and GET /leads/calls/{id} (specification: Call leads 1 and 3). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { callWorld } from '../../../test/fixtures/call-leads.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, callBody, post, record, readCall, callEvents } = await callWorld();
const { db } = app.context;
const stranger = await signedInPartner(app, 'Stranger');
const other = await signedInPartner(app, 'Other');
await setLink(
  { db, clock: app.clock },
  { partnerId: other.partnerId, workshopId, active: true },
  actors.operator,
);

const kindsOf = async (id: string) => (await callEvents(id)).map(({ kind, version }) => `${kind} ${version}`);

test('201: every field as it was sent; GET returns the same, also without /v1', async () => {
  const sent = {
    callerPhone: '0491 570 111',
    calledAt: '2030-03-01T10:00:00+11:00',
    outcome: 'answered',
    durationSeconds: 184,
    source: 'google-ads',
    recordingUrl: 'https://calls.example/recordings/8f2a.mp3?part=1',
    customerName: 'Ava Nguyen',
    notes: 'Asked for brake pads\nCall back',
    externalId: 'CALL-1',
  };
  const answer = await post({ ...sent, workshopId: workshopId.toUpperCase() });
  assert.equal(answer.status, 201);
  const { id, createdAt, updatedAt, ...lead } = answer.body.callLead;
  assert.deepEqual(lead, {
    ...sent,
    workshopId,
    customerId: null,
    bookingId: null,
    callerPhone: '+61491570111',
    calledAt: '2030-02-28T23:00:00.000Z',
  });
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(await readCall(id), answer.body.callLead);
  assert.deepEqual(
    (await partner.call('GET', `/v1/leads/calls/${id.toUpperCase()}`)).body.callLead,
    answer.body.callLead,
  );
});

test('the minimal call: absent fields are null (specification: Requests and responses 7)', async () => {
  const lead = await record({ source: '', notes: null });
  const { durationSeconds, source, recordingUrl, customerName, notes, externalId } = lead;
  assert.deepEqual(
    [durationSeconds, source, recordingUrl, customerName, notes, externalId],
    [null, null, null, null, null, null],
  );
});

test('the same externalId updates its call: absent fields stay, null clears, 200', async () => {
  const first = await record({ externalId: 'U-1', source: 'web', notes: 'First', durationSeconds: 5 });
  const changes = { externalId: 'U-1', outcome: 'answered', notes: null, durationSeconds: 61 };
  const second = await record({ ...changes, calledAt: first.calledAt, callerPhone: '0491570112' }, 200);
  assert.deepEqual(
    { ...second, updatedAt: null },
    {
      ...first,
      ...{ callerPhone: '+61491570112', outcome: 'answered', notes: null, durationSeconds: 61 },
      updatedAt: null,
    },
  );
  assert.ok(second.updatedAt > first.updatedAt);
  assert.deepEqual(await kindsOf(first.id), [
    'callLead.created 1',
    'callLead.missed 1',
    'callLead.updated 2',
  ]);
  // The same values again change nothing.
  const third = await record({ ...changes, calledAt: first.calledAt, callerPhone: '0491570112' }, 200);
  assert.deepEqual(third, second);
  assert.equal((await callEvents(first.id)).length, 3);
});

test('an externalId belongs to the partner and the workshop', async () => {
  const mine = await record({ externalId: 'SAME' });
  const theirs = await post({ externalId: 'SAME' }, {}, other);
  assert.equal(theirs.status, 201);
  assert.notEqual(theirs.body.callLead.id, mine.id);
});

test('callLead.missed is written once, in addition to the first missed outcome, with the wire form', async () => {
  const lead = await record({ externalId: 'M-1', outcome: 'voicemail' });
  assert.deepEqual(await kindsOf(lead.id), ['callLead.created 1']);
  const { calledAt } = lead;
  for (const outcome of ['missed', 'answered', 'missed'])
    await record({ externalId: 'M-1', outcome, calledAt }, 200);
  const events = await callEvents(lead.id);
  assert.deepEqual(
    events.map(({ kind, version }) => `${kind} ${version}`),
    [
      'callLead.created 1',
      'callLead.updated 2',
      'callLead.missed 2',
      'callLead.updated 3',
      'callLead.updated 4',
    ],
  );
  assert.deepEqual(events.at(-1)?.payload, { callLead: await readCall(lead.id) });
  assert.ok(events.every(({ partnerId }) => partnerId === partner.partnerId));
});

test('400 000001 names every failing field, and nothing is written', async () => {
  const before = await db.query('SELECT FROM call_lead');
  for (const [changes, fields] of [
    [{ callerPhone: '12', outcome: 'busy', calledAt: 'today' }, ['calledAt', 'callerPhone', 'outcome']],
    [{ callerPhone: undefined, outcome: undefined }, ['callerPhone', 'outcome']],
    [{ calledAt: null, workshopId: undefined }, ['calledAt', 'workshopId']],
    [{ durationSeconds: -1 }, ['durationSeconds']],
    [{ durationSeconds: '60' }, ['durationSeconds']],
    [{ durationSeconds: 86_401, source: 'x'.repeat(256) }, ['durationSeconds', 'source']],
    [{ recordingUrl: 'javascript:alert(1)' }, ['recordingUrl']],
    [{ recordingUrl: 'calls.example/1.mp3' }, ['recordingUrl']],
    [{ recordingUrl: `https://calls.example/${'x'.repeat(2_048)}` }, ['recordingUrl']],
    [
      { notes: 'x'.repeat(10_001), customerName: 'a\nb', externalId: 7 },
      ['customerName', 'externalId', 'notes'],
    ],
  ] as const) {
    assertProblem(await post(changes), 400, '000001', [...fields]);
  }
  assertProblem(await post({}, { 'idempotency-key': '' }), 400, '000001', ['Idempotency-Key']);
  assert.equal((await db.query('SELECT FROM call_lead')).length, before.length);
});

test('401, 404 for another tenant, 403 for a link that is off; reading still works', async () => {
  const lead = await record();
  const request = { body: callBody(), headers: { 'x-partner-id': partner.partnerId } };
  assert.equal((await app.request('POST', '/leads/calls', request)).status, 401);
  for (const path of [`/leads/calls/${lead.id}`, '/leads/calls'])
    assertProblem(
      await app.request('GET', path, { headers: { 'x-partner-id': partner.partnerId } }),
      401,
      '010000',
    );
  for (const workshop of [stranger.partnerId, 'x']) {
    assertProblem(await post({ workshopId: workshop }), 404, '030001');
  }
  assertProblem(await post({}, {}, stranger), 404, '030001');
  for (const by of [stranger, other])
    assertProblem(await by.call('GET', `/leads/calls/${lead.id}`), 404, '100001');
  assertProblem(await partner.call('GET', '/leads/calls/x'), 404, '100001');

  await setLink(
    { db, clock: app.clock },
    { partnerId: partner.partnerId, workshopId, active: false },
    actors.operator,
  );
  assertProblem(await post(), 403, '000004');
  assertProblem(await post({ externalId: 'U-1' }), 403, '000004');
  assert.deepEqual(await readCall(lead.id), lead);
  await setLink(
    { db, clock: app.clock },
    { partnerId: partner.partnerId, workshopId, active: true },
    actors.operator,
  );
});

test('Idempotency-Key: the first success is replayed with its status, another body is 422', async () => {
  const body = callBody({ externalId: 'K-1' });
  const once = (key: string, changes: object = {}) =>
    partner.call('POST', '/leads/calls', { ...body, ...changes }, { headers: { 'idempotency-key': key } });
  const [first, again] = [await once('call-1'), await once('call-1')];
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assertProblem(await once('call-1', { outcome: 'answered' }), 422, '000008');
  const updated = [await once('call-2', { notes: 'Later' }), await once('call-2', { notes: 'Later' })];
  assert.deepEqual(
    updated.map(({ status, headers }) => [status, headers.get('idempotent-replayed')]),
    [
      [200, null],
      [200, 'true'],
    ],
  );
  assert.deepEqual(updated[1]?.body, updated[0]?.body);
});

test('concurrent calls with one externalId make one call, and lose no update', async () => {
  const changes = [
    { source: 'a' },
    { customerName: 'b' },
    { notes: 'c' },
    { durationSeconds: 4 },
    { recordingUrl: 'https://calls.example/5' },
  ];
  const body = callBody({ externalId: 'RACE' });
  const answers = await Promise.all(
    changes.map((change) => partner.call('POST', '/leads/calls', { ...body, ...change })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 201]);
  const { source, customerName, notes, durationSeconds, recordingUrl } = await readCall(
    answers[0]?.body.callLead.id,
  );
  assert.deepEqual(
    [source, customerName, notes, durationSeconds, recordingUrl],
    ['a', 'b', 'c', 4, 'https://calls.example/5'],
  );
});
