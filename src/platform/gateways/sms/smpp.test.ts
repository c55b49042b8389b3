/** SMPP behind a limiter: what its circuit breaker counts, and when another gateway of the route is tried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresToOpen } from '#platform/gateways/limiter/breaker.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import { connectTo, newPhone, untilBound } from '../../../../packages/smpp/test/connect.ts';
import { startSmsc } from '../../../../packages/smpp/test/smsc.ts';
import { recordedSms } from '../../../../test/harness/gateways.ts';
import { until } from '../../../../test/harness/wait.ts';
import type { OutboundSms } from './gateway.ts';
import { routed } from './router.ts';
import { sendSms } from './send.ts';

function smsTo(to = newPhone()): OutboundSms {
  return { reference: `R-${to}`, messageId: 'm', to, from: '+61400000000', body: 'Hi', route: null };
}

test('one lost connection is one failure for the breaker, however many messages were in flight', async (t) => {
  const smsc = await startSmsc({ answer: () => 'none' });
  const { gateway, told } = connectTo(t, smsc.port);
  const limiter = createLimiter({ name: 'smpp' });
  const behind = throttled(gateway, limiter);
  for (let losses = 1; losses <= failuresToOpen; losses++) {
    await until('it is bound', () => told.at(-1)?.isConnected === true);
    const before = smsc.submitted.length;
    const sending = Array.from({ length: 8 }, () => sendSms(behind, smsTo()));
    await until('all are under way', () => smsc.submitted.length === before + 8);
    for (const session of smsc.sessions()) session.destroy();
    const outcomes = await Promise.all(sending);
    assert.deepEqual(new Set(outcomes.map(({ state }) => state)), new Set(['unknown']));
    assert.equal(limiter.state().breaker, losses < failuresToOpen ? 'closed' : 'open');
  }
});

/** Messages to a carrier that answers all with this status, through a route with another gateway. */
async function refusing(t: Parameters<typeof connectTo>[0], status: number, meant?: 'gatewayUnavailable') {
  const smsc = await startSmsc({ answer: () => ({ status }) });
  const vendorCodes = new Map(meant === undefined ? [] : [[status, meant] as const]);
  const connected = connectTo(t, smsc.port, { vendorCodes });
  await untilBound(connected);
  const limiter = createLimiter({ name: 'smpp' });
  const other = { ...recordedSms(), name: 'other' };
  const route = routed([throttled(connected.gateway, limiter), other]);
  for (let i = 0; i < failuresToOpen; i++) {
    assert.partialDeepStrictEqual(await sendSms(route, smsTo()), { state: 'accepted', gateway: 'other' });
  }
  return limiter;
}

for (const status of [0x400, 0x401, 0x4ff, 0x22, 0x9f]) {
  test(`status 0x${status.toString(16)}, which SMPP does not define, is no failure of the carrier's; another gateway is tried`, async (t) => {
    assert.equal((await refusing(t, status)).state().breaker, 'closed');
  });
}

test('a status of its own that the settings call gatewayUnavailable, and one about our settings, open the breaker', async (t) => {
  assert.equal((await refusing(t, 0x401, 'gatewayUnavailable')).state().breaker, 'open');
  assert.equal((await refusing(t, 0x43)).state().breaker, 'open');
});
