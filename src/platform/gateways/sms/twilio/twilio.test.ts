/** The requests to Twilio and the outcomes of its connections, over real HTTP on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import twilio from 'twilio';
import {
  accountSid,
  apiKey,
  authToken,
  created,
  gatewayAt,
  ours,
  portOf,
  responding,
  service,
  sid,
  sms,
} from '../../../../../test/fixtures/twilio.ts';
import { basicAuthorization as basic } from '../http-outcome.ts';
import { sendSms } from '../send.ts';
import type { TwilioOptions } from './twilio.ts';

const unavailable = { state: 'refused', permanent: false, reason: 'gatewayUnavailable', elsewhere: true };

interface Seen {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

/** A Twilio that accepts everything, and records the requests. */
async function accepting(t: TestContext, changes?: Partial<TwilioOptions>) {
  const seen: Seen[] = [];
  const gateway = await responding(
    t,
    async (request, response) => {
      const { authorization, 'content-type': contentType } = request.headers;
      const form = Object.fromEntries(new URLSearchParams(await text(request)));
      seen.push({ line: `${request.method} ${request.url}`, authorization, contentType, form });
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(created));
    },
    changes,
  );
  return { gateway, seen };
}

test('the request: the account, the text, the sender, and a report URL with our reference', async (t) => {
  const { gateway, seen } = await accepting(t);
  assert.deepEqual(await sendSms(gateway, sms), { state: 'accepted', gatewayId: sid });
  await sendSms(gateway, ours);
  const [first, second] = seen;
  assert.deepEqual(first, {
    line: `POST /2010-04-01/Accounts/${accountSid}/Messages.json`,
    authorization: basic(accountSid, authToken),
    contentType: 'application/x-www-form-urlencoded',
    form: {
      To: '+61491570006',
      From: '+61400000000',
      Body: sms.body,
      ValidityPeriod: '36000',
      StatusCallback: `https://pitlane.example/gateways/twilio/reports?reference=${sms.reference}#rc=5&rp=5xx,ct,rt`,
    },
  });
  assert.deepEqual(second, { ...first, form: { ...first?.form, From: 'HARBOUR' } });
});

test('"Create a Message", ValidityPeriod: how long the SMS may wait, from 6 seconds to 10 hours', async (t) => {
  const periods: (string | null)[] = [];
  const gateway = await responding(t, async (request, response) => {
    periods.push(new URLSearchParams(await text(request)).get('ValidityPeriod'));
    response.writeHead(201).end(JSON.stringify(created));
  });
  for (const validForMs of [3_600_000, 1, 24 * 3_600_000]) await sendSms(gateway, { ...sms, validForMs });
  assert.deepEqual(periods, ['3600', '6', '36000']);
});

test('with an API key and a messaging service; a workshop’s sender takes precedence over the service', async (t) => {
  const { gateway, seen } = await accepting(t, {
    username: apiKey,
    password: 'secret-of-the-key',
    sender: { messagingServiceSid: service },
  });
  for (const message of [sms, ours]) await sendSms(gateway, message);
  assert.deepEqual(
    seen.map(({ authorization, form }) => [authorization, form['From'], form['MessagingServiceSid']]),
    [
      [basic(apiKey, 'secret-of-the-key'), undefined, service],
      [basic(apiKey, 'secret-of-the-key'), 'HARBOUR', undefined],
    ],
  );
});

test('the request is the one that the official SDK makes', async (t) => {
  const { gateway, seen } = await accepting(t);
  await sendSms(gateway, sms);
  const [{ line, authorization, contentType, form } = assert.fail()] = seen;
  const asked: Parameters<twilio.RequestClient['request']>[0][] = [];
  const httpClient = Object.assign(new twilio.RequestClient(), {
    request: async (options: Parameters<twilio.RequestClient['request']>[0]) => {
      asked.push(options);
      return { statusCode: 201, body: created, headers: {} };
    },
  });
  const { From: from = '', Body: body = '', StatusCallback: statusCallback = '' } = form;
  await twilio(accountSid, authToken, { httpClient }).messages.create({
    to: sms.to,
    from,
    body,
    validityPeriod: 36_000,
    statusCallback,
  });
  const [{ method, uri, username = '', password = '', headers, data } = assert.fail()] = asked;
  assert.deepEqual(
    [line, authorization, contentType, form],
    [
      `${method.toUpperCase()} ${new URL(uri).pathname}`,
      basic(username, password),
      new Headers(headers as Record<string, string>).get('content-type'),
      { ...Object(data), ValidityPeriod: '36000' },
    ],
  );
});

test('a redirect is not followed: no other server gets the password', async (t) => {
  const paths: string[] = [];
  const gateway = await responding(t, (request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  assert.partialDeepStrictEqual(await sendSms(gateway, sms), unavailable);
  assert.equal(paths.length, 1);
});

test('Twilio can’t be reached: it has certainly not accepted', async (t) => {
  const server = createTcpServer();
  const port = await portOf(t, server);
  await once(server.close(), 'close');
  assert.deepEqual(await sendSms(gatewayAt(port), sms), {
    ...unavailable,
    detail: 'The gateway can not be reached (ECONNREFUSED).',
  });
});

test('a server without TLS where TLS is expected gets nothing of the message', async (t) => {
  const bytes: Buffer[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      bytes.push(Buffer.from(chunk));
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
  });
  const port = await portOf(t, server);
  const outcome = await sendSms(gatewayAt(port, { url: `https://127.0.0.1:${port}` }), sms);
  assert.partialDeepStrictEqual(outcome, unavailable);
  assert.ok(!Buffer.concat(bytes).includes('491570006'));
});

test('a connection that ends before or within the response, and an endless response, leave the outcome unknown', async (t) => {
  const dropped = await responding(t, (request) => request.socket.destroy());
  const cut = await responding(t, (request, response) => {
    response.writeHead(201, { 'content-length': '1000' }).write('{"sid":');
    setImmediate(() => request.socket.destroy());
  });
  const endless = await responding(t, (_, response) => response.writeHead(201).end(' '.repeat(100_000)));
  for (const gateway of [dropped, cut, endless]) {
    const outcome = await sendSms(gateway, sms);
    assert.equal(outcome.state, 'unknown');
    assert.ok(!JSON.stringify(outcome).includes(authToken));
  }
});

test('no response in time: the outcome is unknown, and the connection is closed', async (t) => {
  const time = new AbortController();
  const closed = Promise.withResolvers<void>();
  const gateway = await responding(t, (request) => {
    request.socket.once('close', () => closed.resolve());
    time.abort();
  });
  assert.equal((await gateway.send(sms, time.signal)).state, 'unknown');
  await closed.promise;
});
