/** How the circuit breaker counts a lost connection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresToOpen } from '#platform/gateways/limiter/breaker.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import { connectTo, smsTo, until } from '../../../../../test/fixtures/smpp.ts';
import { startSmsc } from '../../../../../test/harness/smsc.ts';
import { sendSms } from '../send.ts';

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
