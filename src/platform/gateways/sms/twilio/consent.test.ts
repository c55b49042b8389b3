/** What Twilio's Consent API is asked, by whom it is refused, and a Twilio that does not answer. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import twilio from 'twilio';
import { accountSid, authToken, gatewayAt, portOf, service } from '../../../../../test/fixtures/twilio.ts';
import { basicAuthorization as basic } from '../http-outcome.ts';

const phone = '+61491570006';
const at = {
  ...{ account: null, from: null, agreedAt: null },
  reference: '0199b1e0-0000-7000-8000-000000000001',
};
const correlationId = at.reference.replaceAll('-', '');
const signal = () => AbortSignal.timeout(5_000);

test('the sender is the workshop’s service, else its number, else the gateway’s own', async (t) => {
  const seen: { line: string; authorization: string | undefined; items: Record<string, string>[] }[] = [];
  const port = await portOf(
    t,
    createServer(async (request, response) => {
      const items = new URLSearchParams(await text(request)).getAll('Items').map((item) => JSON.parse(item));
      seen.push({
        line: `${request.method} ${request.url}`,
        authorization: request.headers.authorization,
        items,
      });
      const said = { items: [{ correlation_id: correlationId, error_code: 0, error_messages: [] }] };
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    }),
  );
  const gateway = gatewayAt(port, { consentUrl: `http://127.0.0.1:${port}` });
  for (const [changes, sender] of [
    [{ account: service, from: '+61400000009' }, service],
    [{ from: '+61400000009' }, '+61400000009'],
    [{}, '+61400000000'],
  ] as const) {
    assert.deepEqual(await gateway.optIn?.(phone, { ...at, ...changes }, signal()), { state: 'told' });
    assert.deepEqual(seen.at(-1), {
      line: 'POST /v1/Consents/Bulk',
      authorization: basic(accountSid, authToken),
      items: [
        {
          contact_id: phone,
          correlation_id: correlationId,
          sender_id: sender,
          status: 'opt-in',
          source: 'others',
        },
      ],
    });
  }
  // Nobody can have said STOP to a name, and a carrier of the US keeps what was said to a toll-free number.
  for (const from of ['HARBOUR', '+18005550123']) {
    assert.equal((await gateway.optIn?.(phone, { ...at, from }, signal()))?.state, 'refused', from);
  }
  assert.equal(seen.length, 3);
  assert.equal(gatewayAt(port).optIn, undefined, 'not set up: there is no such call');
});

test('no answer, a lost connection and an answer without a result are no refusals: it is asked again', async (t) => {
  const answers: ((socket: { destroy(): void }, end: (body: string) => void) => void)[] = [
    () => undefined,
    (socket) => socket.destroy(),
    (_, end) => end('<html>'),
    (_, end) => end(JSON.stringify({ items: [{ correlation_id: 'another' }] })),
    (_, end) => {
      const [error_code, error_messages] = [30646, ['INTERNAL_SERVER_ERROR']];
      end(JSON.stringify({ items: [{ correlation_id: correlationId, error_code, error_messages }] }));
    },
  ];
  const port = await portOf(
    t,
    createServer((request, response) => answers.shift()?.(request.socket, (body) => response.end(body))),
  );
  const gateway = gatewayAt(port, { consentUrl: `http://127.0.0.1:${port}` });
  await assert.rejects(gateway.optIn?.(phone, at, AbortSignal.timeout(100)) ?? assert.fail());
  for (let times = 0; times < 4; times++)
    await assert.rejects(gateway.optIn?.(phone, at, signal()) ?? assert.fail());
});

test('the request is the one that the official SDK makes', async (t) => {
  const forms: string[] = [];
  const port = await portOf(
    t,
    createServer(async (request, response) => {
      forms.push(await text(request));
      response.end('{}');
    }),
  );
  const gateway = gatewayAt(port, { consentUrl: `http://127.0.0.1:${port}` });
  await assert.rejects(
    gateway.optIn?.(phone, { ...at, agreedAt: new Date('2026-01-01T13:00:00Z') }, signal()) ?? assert.fail(),
  );
  const form = new URLSearchParams(forms[0]);
  const asked: Parameters<twilio.RequestClient['request']>[0][] = [];
  const httpClient = Object.assign(new twilio.RequestClient(), {
    request: async (options: Parameters<twilio.RequestClient['request']>[0]) => {
      asked.push(options);
      return { statusCode: 201, body: { items: [] }, headers: {} };
    },
  });
  const items = form.getAll('Items').map((item) => JSON.parse(item));
  await twilio(accountSid, authToken, { httpClient }).accounts.v1.bulkConsents.create({ items });
  const [{ method, uri, data } = assert.fail()] = asked;
  assert.deepEqual([method.toUpperCase(), uri], ['POST', 'https://accounts.twilio.com/v1/Consents/Bulk']);
  assert.deepEqual(data, { Items: form.getAll('Items') });
});
