/** E-mail behind its limiter: the same bounds; a refusal of a message shows that the server works. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmailOutcome } from '#platform/gateways/email/gateway.ts';
import { recordedEmail } from '../../../../test/harness/gateways.ts';
import { testTimers } from '../../../../test/harness/timers.ts';
import { failuresToOpen, firstOpenMs } from './breaker.ts';
import { createLimiter, longestWaitMs } from './limiter.ts';
import { throttledEmail } from './throttled-email.ts';

const email = {
  reference: 'r',
  to: 'ann@example.com',
  subject: 'Your booking',
  text: 'Plain',
  html: '<p>Rich</p>',
  calendar: null,
};

function world() {
  const timers = testTimers();
  const recorded = { ...recordedEmail(), name: 'smtp' };
  const limiter = createLimiter({ name: 'smtp', concurrency: 1, timers, random: () => 0 });
  return { timers, recorded, limiter, gateway: throttledEmail(recorded, limiter) };
}

test('one e-mail at a time; a wait that is too long ends without a hand-over', async () => {
  const { gateway, recorded, timers } = world();
  const { promise, resolve } = Promise.withResolvers<EmailOutcome>();
  recorded.next(() => promise);
  const first = gateway.send(email);
  const second = gateway.send(email);
  await timers.pass(longestWaitMs);
  assert.deepEqual(await second, {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: 'The gateway smtp gave no permit in time; nothing was handed over.',
    notAsked: true,
    retryAfterMs: longestWaitMs,
  });
  resolve({ state: 'accepted', gatewayId: 'g' });
  assert.deepEqual([await first, recorded.sent.length], [{ state: 'accepted', gatewayId: 'g' }, 1]);
  assert.equal((await gateway.send(email)).state, 'accepted');
});

test('the breaker opens when a server is away or does not respond, not when it refuses messages', async () => {
  const refusal = { state: 'refused', permanent: false, detail: 'No.' } as const;
  for (const [outcome, state] of [
    [{ ...refusal, reason: 'temporarilyRefused' }, 'closed'],
    [{ ...refusal, permanent: true, reason: 'refused' }, 'closed'],
    [{ ...refusal, reason: 'gatewayUnavailable' }, 'open'],
    [{ state: 'unknown', detail: 'No answer.' }, 'open'],
  ] as const) {
    const { gateway, recorded, limiter, timers } = world();
    recorded.next(...Array<EmailOutcome>(failuresToOpen).fill(outcome));
    for (let i = 0; i < failuresToOpen; i++) await gateway.send(email);
    assert.equal(limiter.state().breaker, state);
    const next = await gateway.send(email);
    assert.equal(next.state === 'refused' && next.notAsked === true, state === 'open');
    await timers.pass(firstOpenMs);
    assert.equal((await gateway.send(email)).state, 'accepted');
    assert.equal(limiter.state().breaker, 'closed');
  }
});
