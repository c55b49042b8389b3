/** What a caller most likely meant: missing fields, unknown ones, paths, the header of the token, and where the errors are explained. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { catalogue, type ErrorCode } from '#errors.ts';
import { rawRequest } from '../../../test/fixtures/raw-http.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { type Answer, startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { helpOf } from './help.ts';
import { nearestPath } from './near-path.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const strict = { headers: { 'pitlane-strict': 'on' } };

const faultsOf = ({ body }: Answer): Record<string, string> =>
  Object.fromEntries(
    (body.errors ?? []).map((error: { field: string; message: string }) => [error.field, error.message]),
  );

test('a required field that is missing names a similar one that was sent (specification: Requests and responses 5)', async () => {
  const { customerPhone, customerName, carRego, ...rest } = bookingBody(workshopId);
  const sent = {
    ...rest,
    customerPhoen: customerPhone,
    customer_name: customerName,
    rego: carRego,
    colour: 'red',
  };
  const answer = await partner.call('POST', '/bookings', sent);
  assert.equal(answer.status, 400);
  assert.deepEqual(faultsOf(answer), {
    customerPhone: 'is required; you sent customerPhoen',
    customerName: 'is required; you sent customer_name',
    carRego: 'is required; you sent rego',
  });
  const needed = 'is required where neither catalogId nor catalogCode is sent';
  const nested = {
    ...bookingBody(workshopId),
    services: [{ title: 'Oil' }, { titel: 'Brakes' }, { price: 1 }],
  };
  assert.deepEqual(faultsOf(await partner.call('POST', '/bookings', nested)), {
    'services[1].title': `${needed}; you sent titel`,
    'services[2].title': needed,
  });
  const signIn = await partner.call('POST', '/auth/token', { appkey: 'x', secret: 'y' });
  assert.deepEqual(faultsOf(signIn), { appKey: 'is required; you sent appkey' });
});

test('Pitlane-Strict: on refuses every unknown field, together with all other faults, and nothing happens', async () => {
  const body = bookingBody(workshopId, {
    customerNmae: 'Sam',
    services: [{ title: 'Oil', finish: 'matt' }],
    x: 1,
  });
  const refused = await partner.call('POST', '/bookings', body, strict);
  assert.equal(refused.status, 400);
  assert.equal(refused.body.errorCode, '000001');
  assert.deepEqual(faultsOf(refused), {
    customerNmae: 'is not known here: did you mean customerName?',
    'services[0].finish': 'is not known here',
    x: 'is not known here',
  });
  assert.equal(refused.headers.get('pitlane-ignored-fields'), null);
  const both = await partner.call('POST', '/bookings', { ...body, carYear: '2019' }, strict);
  assert.deepEqual(Object.keys(faultsOf(both)), ['carYear', 'customerNmae', 'services[0].finish', 'x']);
  const { body: list } = await partner.call('GET', '/bookings');
  assert.deepEqual(list.bookings, []);
  // Judged by the handler too: the operation that checks its body itself.
  const sms = { phone: '0491570006', extra: 1, channels: { sms: { message: 'x', media: 1 } } };
  const message = await partner.call('POST', `/workshops/${workshopId}/messages`, sms, strict);
  assert.deepEqual(Object.keys(faultsOf(message)), ['extra', 'channels.sms.media']);
});

test('Pitlane-Strict: on refuses a parameter that is not known, together with the faults of the others', async () => {
  const refused = await partner.call('GET', '/bookings?form=2026-01-01&stauts=pending', undefined, strict);
  assert.deepEqual([refused.status, refused.body.errorCode], [400, '000001']);
  assert.deepEqual(faultsOf(refused), {
    '?form': 'is not known here: did you mean from?',
    '?stauts': 'is not known here: did you mean status?',
  });
  const both = await partner.call('GET', '/bookings?limit=x&form=1', undefined, strict);
  assert.deepEqual(Object.keys(faultsOf(both)), ['limit', '?form']);
  assert.equal((await partner.call('GET', '/workshops?page=2', undefined, strict)).status, 400);
  assert.equal((await partner.call('GET', '/workshops?limit=2', undefined, strict)).status, 200);
});

test('a field that other interfaces call otherwise is named by its meaning (specification: Requests and responses 5)', async () => {
  const send = async (body: object) =>
    faultsOf(await partner.call('POST', `/workshops/${workshopId}/messages`, body));
  const sms = 'must have a message or a templateId';
  assert.deepEqual(await send({ to: '0491570006', channels: { sms: { body: 'Hi' } } }), {
    phone: 'is required when customerId is omitted; you sent to',
    'channels.sms': `${sms}; you sent body`,
  });
  assert.deepEqual(await send({ phone: '0491570006', text: 'Hi' }), {
    channels: 'is required; you sent text: it is channels.sms.message',
  });
  assert.deepEqual(await send({ phone: '0491570006', message: 'Hi', channels: {} }), {
    'channels.sms': 'is required; you sent message: it is channels.sms.message',
  });
});

test('Pitlane-Strict: what is all known goes through; off is as without it; another value is refused', async () => {
  const made = await partner.call('POST', '/bookings', bookingBody(workshopId), strict);
  assert.equal(made.status, 201);
  const path = `/bookings/${made.body.booking.id}`;
  assert.equal((await partner.call('PUT', path, { notes: 'x', status: 'completed' }, strict)).status, 400);
  const of = (value: string) => ({ headers: { 'pitlane-strict': value } });
  const off = await partner.call('PUT', path, { notes: 'x', status: 'completed' }, of('off'));
  assert.deepEqual([off.status, off.headers.get('pitlane-ignored-fields')], [200, 'status']);
  const odd = await partner.call('PUT', path, { notes: 'x' }, of('yes'));
  assert.deepEqual([odd.status, odd.body.message], [400, 'The header Pitlane-Strict must be on or off']);
});

test('thousands of unknown fields are a refusal like another', async () => {
  const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`customer${n}`, 1]));
  const answer = await partner.call('POST', '/bookings', { ...many, jobNotes: [] }, strict);
  assert.deepEqual([answer.status, answer.body.errors.length], [400, 100]);
});

test('a path or method of other interfaces names the operation that does it', async () => {
  const messageOf = async (method: string, path: string) =>
    (await partner.call(method, path, method === 'GET' ? undefined : {})).body.message;
  const id = newId();
  assert.equal(
    await messageOf('GET', `/workshop/${id}`),
    `There is no GET /workshop/${id}: GET /workshops lists the workshops that you are linked to`,
  );
  assert.match(await messageOf('GET', `/v1/workshops/${id}`), /: GET \/workshops lists the workshops/);
  for (const prefix of ['', '/v1']) {
    assert.equal(
      await messageOf('PATCH', `${prefix}/bookings/${id}`),
      'That path answers GET, HEAD, PUT only: PUT changes only the fields that are sent',
    );
    assert.equal(
      await messageOf('DELETE', `${prefix}/bookings/${id}`),
      `That path answers GET, HEAD, PUT only: POST /bookings/{id}/cancelled cancels a booking`,
    );
  }
});

test('a body that is not JSON is refused with the line and column where that shows, and none of its text', async () => {
  const refusal = async (body: string) => {
    const { status, body: answer } = await app.request('POST', '/auth/token', {
      headers: { 'x-partner-id': partner.partnerId },
      body,
    });
    assert.equal(status, 400);
    return answer.message;
  };
  assert.equal(
    await refusal('{\n  "appKey": secret-word\n}'),
    'The body is not valid JSON: at line 2, column 13',
  );
  assert.equal(
    await refusal('{"appKey": "x"'),
    'The body is not valid JSON: it ends too early, at line 1, column 15',
  );
});

test('an unknown path names an operation that is like it', async () => {
  const messageOf = async (method: string, path: string) =>
    (await partner.call(method, path, method === 'GET' ? undefined : {})).body.message;
  assert.equal(await messageOf('POST', '/booking'), 'There is no POST /booking: did you mean /bookings?');
  assert.equal(
    await messageOf('GET', '/v1/Webhook'),
    'There is no GET /v1/Webhook: did you mean /v1/webhooks?',
  );
  assert.equal(await messageOf('GET', '/car'), 'There is no GET /car');
  const known = ['/bookings', '/bookings/:id', '/workshops/:id/templates'];
  assert.equal(nearestPath('/workshop/w-1/template/', known), '/workshops/w-1/templates');
  assert.equal(nearestPath('/customers/1', known), null);
  assert.equal(nearestPath(`/${'b'.repeat(5_000)}`, known), null);
});

test('the refusal of a token without its scheme says what to write', async () => {
  for (const sent of [partner.token, `Token ${partner.token}`]) {
    const answer = await app.request('GET', '/workshops', {
      headers: { authorization: sent, 'x-partner-id': partner.partnerId },
    });
    assert.equal(answer.status, 401);
    assert.match(answer.body.message, /^Write Bearer before the access token/);
  }
});

test('help leads to the entry of the code in the served page, below the public address where there is one', async () => {
  const page = await (await fetch(`${app.url}/docs/guide/errors`)).text();
  for (const code of [...(Object.keys(catalogue) as ErrorCode[]), null]) {
    const [path, anchor] = helpOf(code).split('#');
    assert.equal(path, '/docs/guide/errors');
    assert.equal(page.split(`id="${anchor}"`).length, 2, `${code}`);
  }
  const { body } = await partner.call('GET', '/bookings/x');
  assert.equal(body.help, '/docs/guide/errors#060001');
  const known = await secondApp(app, {
    context: { config: { ...app.context.config, publicUrl: 'https://pitlane.example/api' } },
  });
  const wanted = 'https://pitlane.example/api/docs/guide/errors#';
  assert.equal((await known.request('GET', '/nothing')).body.help, `${wanted}000002`);
  assert.equal((await rawRequest(known.url, 'HELLO\r\n\r\n')).body.help, `${wanted}000001`);
});
