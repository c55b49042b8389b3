/** The outcome of each response of Twilio, in the forms of its public documentation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { failuresToOpen } from '#platform/gateways/limiter/breaker.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import { anyCharacter } from '../../../../../test/fixtures/any-character.ts';
import { created, ours, problem, responding, service, sms } from '../../../../../test/fixtures/twilio.ts';
import type { SmsOutcome } from '../gateway.ts';
import { sendSms } from '../send.ts';

const account = { permanent: false, reason: 'gatewayUnavailable', elsewhere: true };
const busy = { permanent: false, reason: 'temporarilyRefused', elsewhere: true };
const message = { permanent: true, reason: 'refused', elsewhere: undefined };
const route = { permanent: true, reason: 'refused', elsewhere: true };
const number = { permanent: true, reason: 'invalidNumber', elsewhere: undefined };

for (const [status, code, expected, said] of [
  [400, 21211, number, /^The number is not a valid one \(Twilio's error 21211\)\.$/],
  [400, 21614, number, /not a mobile/],
  [400, 21635, number, /landline/],
  [400, 21612, route, /no way/],
  [400, 21408, route, /country/],
  [400, 21608, route, /trial account/],
  [400, 21610, { permanent: true, reason: 'optedOut', elsewhere: undefined }, /told this sender to stop/],
  [400, 21606, message, /sender/],
  [400, 21212, message, /sender/],
  [400, 21657, message, /The sender can not be used for this country/],
  [400, 21619, message, /no text, picture or template/],
  [400, 21659, message, /sender/],
  [400, 21617, message, /too long/],
  [400, 21611, busy, /waiting/],
  [400, 21730, busy, /maintenance/],
  [400, 21609, account, /PITLANE_PUBLIC_URL/],
  [400, 21705, account, /messaging service/],
  [400, 20005, account, /not active/],
  [400, 20010, account, /may not/],
  [400, 21701, account, /messaging service/],
  [400, 21702, account, /messaging service/],
  // About this recipient, so no failure of the gateway.
  [400, 21703, route, /no sender for this number/],
  [400, 60728, busy, /in this hour/],
  [400, 63017, busy, /a second/],
  // An unknown error may be about the account: another gateway may accept the message.
  [400, 29999, route, /^What Twilio says of 29999 \(Twilio's error 29999\)\.$/],
  [401, 20003, account, /does not take the account and its token/],
  [403, 20403, account, /may not/],
  [403, 29999, account, /29999/],
  [404, 20404, account, /account/],
  [429, 20429, busy, /too many requests/],
  [429, 63038, busy, /too much today/],
  [500, 20500, { state: 'unknown' }, /500/],
  [503, 20503, { state: 'unknown' }, /503/],
  [302, 0, account, /has moved to another address: see TWILIO_URL/],
  [303, 0, { state: 'unknown' }, /303/],
  [408, 20408, { state: 'unknown' }, /408/],
] as const) {
  test(`the response ${status} ${code}`, async (t) => {
    const gateway = await responding(t, (_, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify(problem(code, status))),
    );
    const outcome: Readonly<Record<string, unknown>> = { ...(await sendSms(gateway, ours)) };
    for (const [name, value] of Object.entries({ state: 'refused', ...expected })) {
      assert.equal(outcome[name], value, name);
    }
    assert.match(String(outcome['detail']), said);
  });
}

test('a wrong sender of the gateway’s own is a setting for the operator to correct, and another gateway may accept the message', async (t) => {
  const gateway = await responding(t, (_, response) =>
    response.writeHead(400).end(JSON.stringify(problem(21660, 400))),
  );
  const outcome = await sendSms(gateway, sms);
  assert.partialDeepStrictEqual(outcome, { state: 'refused', ...account });
});

for (const code of [21606, 21657, 21659, 21703]) {
  test(`${code} of a sender of ours is about this number: five in a row do not open the breaker, and the next gateway is tried`, async (t) => {
    const gateway = await responding(t, (_, response) =>
      response.writeHead(400).end(JSON.stringify(problem(code, 400))),
    );
    const limiter = createLimiter({ name: 'twilio' });
    for (let i = 0; i <= failuresToOpen; i++) {
      assert.partialDeepStrictEqual(await sendSms(throttled(gateway, limiter), sms), { ...route });
    }
    assert.equal(limiter.state().breaker, 'closed');
  });
}

for (const code of [21212, 21603, 21660, 21661, 21709, 21711]) {
  test(`${code} of a sender within a workshop's own messaging service is about that workshop: the breaker stays closed, and the next gateway is tried`, async (t) => {
    const gateway = await responding(t, (_, response) =>
      response.writeHead(400).end(JSON.stringify(problem(code, 400))),
    );
    const limiter = createLimiter({ name: 'twilio' });
    const itsOwn = { ...sms, accounts: { twilio: service } };
    for (let i = 0; i <= failuresToOpen; i++) {
      assert.partialDeepStrictEqual(await sendSms(throttled(gateway, limiter), itsOwn), { ...route });
    }
    assert.equal(limiter.state().breaker, 'closed');
  });
}

test('a rate limit says how long to wait: in seconds or until a date, an hour at most', async (t) => {
  for (const [retryAfter, expected] of [
    ['2', 2_000],
    ['0', 0],
    ['999999', 3_600_000],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 0],
    ['Fri, 31 Dec 2199 23:59:59 GMT', 3_600_000],
    ['-1', undefined],
    ['', undefined],
  ] as const) {
    const gateway = await responding(t, (_, response) =>
      response.writeHead(429, { 'retry-after': retryAfter }).end(JSON.stringify(problem(20429, 429))),
    );
    const outcome = await sendSms(gateway, sms);
    assert.equal(outcome.state === 'refused' && outcome.retryAfterMs, expected, retryAfter);
  }
});

test('a response in another form than Twilio’s means not accepted, and says so; half a response leaves the outcome unknown', async (t) => {
  for (const [status, body, expected] of [
    [404, '<h1>Not Found</h1>', account],
    [400, 'Bad request', account],
    [403, '{"code":"20003"}', account],
    [201, '{"sid":', { state: 'unknown' }],
    [201, '', { state: 'unknown' }],
    [201, 'null', { state: 'unknown' }],
    [201, '{"sid":"CA00000000000000000000000000000000"}', { state: 'unknown' }],
    [200, 'Welcome to the proxy', { state: 'unknown' }],
    [502, '<h1>Bad gateway</h1>', { state: 'unknown' }],
  ] as const) {
    const gateway = await responding(t, (_, response) => response.writeHead(status).end(body));
    assert.partialDeepStrictEqual(await sendSms(gateway, sms), { state: 'refused', ...expected });
  }
});

test('for any response: accepted needs an id, and no detail holds a phone number or a secret', async (t) => {
  let next: { status: number; body: string } = { status: 200, body: '' };
  const gateway = await responding(t, (_, response) => response.writeHead(next.status).end(next.body));
  const words = fc.constantFrom('The number ', sms.to, '+61 491 570 006', '(0491) 570-006', ' is bad', '.');
  const said = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(''));
  const code = fc.oneof(fc.integer({ min: 10_000, max: 99_999 }), fc.constantFrom(21211, 21610, 20429));
  const body = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.json(),
    fc.record({ code, message: said, status: fc.nat() }).map((content) => JSON.stringify(content)),
    fc.constant(JSON.stringify(created)),
  );
  const statuses = fc.constantFrom(200, 201, 202, 302, 400, 401, 403, 404, 408, 422, 429, 500, 502, 503);
  await fc.assert(
    fc.asyncProperty(statuses, body, async (status, content) => {
      next = { status, body: content };
      const outcome: SmsOutcome = await sendSms(gateway, sms);
      assert.equal(outcome.state === 'accepted', status < 300 && content === JSON.stringify(created));
      if (outcome.state !== 'accepted') assert.doesNotMatch(outcome.detail, /491.?570|secret/);
    }),
    { numRuns: 200 },
  );
});
