/** How much each gateway may have to do: settings, and the messages about wrong ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concurrencyOf, idleSecondsOf, readGatewayLimits } from './gateway-limits.ts';

const read = (concurrency?: string, rate?: string) =>
  readGatewayLimits({ PITLANE_GATEWAY_CONCURRENCY: concurrency, PITLANE_GATEWAY_RATE: rate });

test('gateways and their numbers; the others have the usual ones', () => {
  const limits = read(' kannel:20, smtp : 3 ,', 'kannel:30,twilio:0.5');
  assert.deepEqual(limits, {
    gatewayConcurrency: { kannel: 20, smtp: 3 },
    gatewayRate: { kannel: 30, twilio: 0.5 },
    gatewayIdle: {},
  });
  assert.deepEqual(read('', ''), { gatewayConcurrency: {}, gatewayRate: {}, gatewayIdle: {} });
  assert.deepEqual(
    [concurrencyOf(limits, 'kannel'), concurrencyOf(limits, 'twilio'), concurrencyOf(read(), 'smtp')],
    [20, undefined, 5],
  );
});

test('a bad value is named, with what would be right', () => {
  for (const [value, message] of [
    ['kanel:20', /^PITLANE_GATEWAY_CONCURRENCY names kanel, which is not one of: kannel, .*smtp$/],
    ['toString:20', /names toString/],
    ['kannel', /: kannel is not a gateway and a whole number from 1 to 100, such as kannel:20$/],
    ['kannel:0', /kannel:0 is not/],
    ['kannel:101', /kannel:101 is not/],
    ['kannel:1.5', /kannel:1.5 is not/],
    ['kannel:-1', /kannel:-1 is not/],
    ['kannel:1:2', /kannel:1:2 is not/],
    ['kannel:1,kannel:2', /names kannel twice$/],
  ] as const) {
    assert.throws(() => read(value), { message }, value);
  }
  for (const value of ['kannel:0', 'kannel:0.0', 'kannel:1e3', 'kannel:1001', 'kannel:Infinity', 'kannel:']) {
    assert.throws(
      () => read('', value),
      /^ConfigError|PITLANE_GATEWAY_RATE: .* is not a gateway and messages a second, from 0.001 to 1000, such as twilio:1/,
      value,
    );
  }
});

test('how long connections are kept: of gateways behind HTTP, none at 0, and the usual time otherwise', () => {
  const idle = (text: string) => readGatewayLimits({ PITLANE_GATEWAY_KEEP_ALIVE_SECONDS: text });
  const limits = idle('kannel:0,twilio:20');
  assert.deepEqual(limits.gatewayIdle, { kannel: 0, twilio: 20 });
  assert.deepEqual([idleSecondsOf(limits, 'kannel'), idleSecondsOf(limits, 'clicksend')], [0, 4]);
  assert.deepEqual([idleSecondsOf({}, 'kannel'), idleSecondsOf({}, 'twilio')], [30, 4]);
  for (const value of ['kannel:601', 'kannel:-1', 'kannel:1.5', 'kannel', 'kannel:1,kannel:2']) {
    assert.throws(() => idle(value), /PITLANE_GATEWAY_KEEP_ALIVE_SECONDS/, value);
  }
  for (const value of ['smpp:5', 'smtp:5']) {
    assert.throws(() => idle(value), /is not one of: kannel, twilio, messagemedia, clicksend$/);
  }
});
