/** GET /sandbox/requests: what partners asked, and what was wrong with it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type LoggedRequest, requestsAtMost } from '#platform/http/request-log.ts';
import { bookingWorld } from '../../../../test/fixtures/booking-api.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import type { TestApp } from '../../../../test/harness/app.ts';
import { bookingBody, signedInPartner } from '../../../../test/harness/world.ts';

const { app, partner, workshopId } = await bookingWorld({ sandbox: true });

async function logged(query = '', of: Pick<TestApp, 'request'> = app): Promise<LoggedRequest[]> {
  const answer = await of.request('GET', `/sandbox/requests${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.requests;
}

async function oneLogged(id: string): Promise<LoggedRequest> {
  const [found, ...others] = await logged(`?id=${id}`);
  assert.ok(found && others.length === 0);
  return found;
}

const withId = (id: string, more = {}) => ({ headers: { 'x-request-id': id, ...more } });

describe('GET /sandbox/requests', () => {
  test('shows a refusal with its failing fields, and the fields that were ignored', async () => {
    const body = { ...bookingBody(workshopId), customerNmae: 'Sam', carYear: 'new', customerPhone: '1' };
    const answer = await partner.call('POST', '/v1/bookings?x=1', body, withId('refused-1'));
    const { at, durationMs, requestBody, responseBody, ...rest } = await oneLogged('refused-1');
    assert.ok(Math.abs(Date.parse(String(at)) - app.clock.now().getTime()) < 10_000 && durationMs >= 0);
    assert.deepEqual(rest, {
      ...{ id: 'refused-1', method: 'POST', path: '/v1/bookings?x=1', operationId: 'createBooking' },
      ...{
        partnerId: partner.partnerId,
        status: 400,
        ignoredFields: ['customerNmae', '?x'],
        replayed: false,
      },
      ...{ errorCode: '000001', message: answer.body.message, errors: answer.body.errors },
    });
    assert.equal(JSON.parse(requestBody ?? '').customerNmae, 'Sam');
    assert.deepEqual(JSON.parse(responseBody ?? ''), answer.body);
  });

  test('shows an acceptance, and an idempotent replay as such', async () => {
    const body = bookingBody(workshopId, { carRego: 'LOG123' });
    const key = { 'idempotency-key': 'logged' };
    for (const id of ['first', 'again'])
      assert.equal((await partner.call('POST', '/bookings', body, withId(id, key))).status, 201);
    const [first, again] = [await oneLogged('first'), await oneLogged('again')];
    assert.deepEqual([first.replayed, again.replayed, again.status], [false, true, 201]);
    assert.deepEqual([first.errorCode, first.message, first.errors], [null, null, []]);
    assert.equal(JSON.parse(first.responseBody ?? '').booking.car.rego, 'LOG123');
  });

  test('keeps no secret, token or password, whether it was accepted or refused', async () => {
    const { partnerId, appKey, secret, token, refreshToken } = await signedInPartner(app);
    const signIn = { 'x-partner-id': partnerId };
    const post = (path: string, body: unknown, headers = {}) =>
      app.request('POST', path, { body, headers: { ...signIn, ...headers } });
    assert.equal((await post('/auth/refresh', { token, refreshToken })).status, 200);
    await post('/auth/token', { appKey, secret, password: 'hunter2' });
    await post('/auth/token', `{"secret":"${secret}"`);
    await post(`/auth/token?secret=${secret}`, { appKey: [secret], [secret]: 1, notes: `it is ${secret}` });
    const hook = await partner.call('POST', '/webhooks', {
      url: 'https://user:hunter2@partner.example/in?key=hunter2',
      actions: ['bookingCreate'],
    });
    const made = await partner.call('POST', '/webhooks', {
      url: 'https://partner.example/in?key=hunter2',
      actions: ['bookingCreate'],
    });
    assert.deepEqual([hook.status, made.status], [400, 201]);
    const text = JSON.stringify(await logged(`?limit=${requestsAtMost}`));
    assert.match(text, /signIn.*/);
    for (const hidden of [
      secret,
      appKey,
      token,
      refreshToken,
      made.body.webhook?.secret ?? 'whsec_',
      'hunter2',
      'ptl_',
    ])
      assert.ok(!text.includes(hidden), hidden);
  });

  test('a 401 is there, an unknown path too; what is no request of a partner is not', async () => {
    await app.request('GET', '/bookings', withId('no-token'));
    await app.request('GET', '/bokings', withId('misspelt', { 'x-partner-id': 'partner-7' }));
    await app.request('PATCH', '/bookings', withId('wrong-method', { 'x-partner-id': 'partner-7' }));
    for (const path of ['/favicon.ico', '/health/live', '/sandbox/messages', '/docs'])
      await app.request('GET', path, withId('not-a-partner'));
    const [unsigned, misspelt, method] = [
      await oneLogged('no-token'),
      await oneLogged('misspelt'),
      await oneLogged('wrong-method'),
    ];
    assert.deepEqual([unsigned.errorCode, unsigned.partnerId], ['010000', null]);
    assert.deepEqual([misspelt.errorCode, misspelt.operationId, misspelt.path], ['000002', null, '/bokings']);
    assert.deepEqual([method.status, method.partnerId], [405, 'partner-7']);
    assert.deepEqual(await logged('?id=not-a-partner'), []);
  });

  test('filters by partner and outcome, newest first', async () => {
    const other = await signedInPartner(app);
    for (const id of ['one', 'two']) await other.call('GET', '/workshops', undefined, withId(id));
    await other.call('GET', '/bookings?limit=0', undefined, withId('three'));
    const ids = async (query: string) =>
      (await logged(`?partnerId=${other.partnerId}${query}`)).map(({ id }) => id).slice(0, 3);
    assert.deepEqual(await ids(''), ['three', 'two', 'one']);
    assert.deepEqual(await ids('&limit=1'), ['three']);
    assert.deepEqual(await ids('&outcome=refused'), ['three']);
    assert.deepEqual((await ids('&outcome=accepted')).slice(0, 2), ['two', 'one']);
    assert.deepEqual(await ids('&outcome=ignored'), []);
    const wrong = await app.request('GET', '/sandbox/requests?limit=0&outcome=x');
    assert.deepEqual(
      [wrong.status, wrong.body.errors.map(({ field }: { field: string }) => field)],
      [400, ['outcome', 'limit']],
    );
  });

  test('keeps the last only, and long bodies in part', async () => {
    const notes = 'é'.repeat(7_000);
    await partner.call('POST', '/bookings', { ...bookingBody(workshopId), notes }, withId('long'));
    const { requestBody } = await oneLogged('long');
    assert.equal(requestBody?.length, 4_000);
    await partner.call(
      'POST',
      '/bookings',
      { ...bookingBody(workshopId), notes: 'é'.repeat(9_000) },
      withId('longer'),
    );
    const longer = await oneLogged('longer');
    assert.deepEqual([longer.status, longer.requestBody], [201, '… longer than 16 KiB']);
    const deep = `{"notes":${'['.repeat(7_500)}${']'.repeat(7_500)}}`;
    await partner.call('POST', '/bookings', deep, withId('deep'));
    assert.deepEqual([(await oneLogged('deep')).status, (await oneLogged('deep')).requestBody], [400, null]);
    for (let n = 0; n < requestsAtMost + 5; n++) await app.request('GET', '/workshops');
    const all = await logged(`?limit=${requestsAtMost}`);
    assert.equal(all.length, requestsAtMost);
    assert.ok(all.every(({ path }) => path === '/workshops'));
  });
});

test('with a real gateway no values are kept: of bodies, queries, paths, messages', async () => {
  const partly = await secondApp(app, { context: { sandboxAlone: false } });
  const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
  const body = { ...bookingBody(workshopId), customerName: 'Zaphod', surprise: 'Zaphod' };
  await partly.request('POST', '/bookings', { headers, body });
  await partly.request('GET', '/bookings?externalId=Zaphod&limit=0', { headers });
  await partly.request('GET', '/people/Zaphod', { headers });
  const answer = await partly.request('GET', '/sandbox/requests');
  assert.equal(answer.body.redacted, true);
  const [unknown, listed, booked] = answer.body.requests as LoggedRequest[];
  assert.doesNotMatch(JSON.stringify(answer.body), /Zaphod|@|\+61/);
  assert.deepEqual([unknown?.path, unknown?.errorCode], ['…', '000002']);
  assert.deepEqual([listed?.path, listed?.errors[0]?.field], ['/bookings', 'limit']);
  assert.deepEqual([booked?.status, booked?.ignoredFields], [201, ['surprise']]);
  assert.equal(JSON.parse(booked?.requestBody ?? '').customerName, '…');
});

test('each process keeps its own, and says which it is; without a sandbox there is none', async () => {
  const [other, without] = [await secondApp(app), await secondApp(app, { context: { sandbox: false } })];
  assert.deepEqual((await other.request('GET', '/sandbox/requests')).body.requests, []);
  const ids = await Promise.all(
    [app, other, other].map(async (each) => (await each.request('GET', '/sandbox/requests')).body.processId),
  );
  assert.notEqual(ids[0], ids[1]);
  assert.equal(ids[1], ids[2]);
  assert.equal((await without.request('GET', '/sandbox/requests')).status, 404);
});
