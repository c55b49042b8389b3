/** Log lines about gateways: when one starts to fail, with the cause, and when it works again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base/log.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { sendSms } from '#platform/gateways/sms/send.ts';
import { recordedEmail, recordedSms } from '../../../../test/harness/gateways.ts';
import { testTimers } from '../../../../test/harness/timers.ts';
import { failuresToOpen, longestOpenMs } from './breaker.ts';
import { createLimiter } from './limiter.ts';
import { logBreaker } from './log.ts';
import { throttledEmail } from './throttled-email.ts';
import { throttled } from './throttled-sms.ts';

const sms = { reference: 'r', messageId: 'm', to: '+61491570006', from: null, body: 'Hi Kim', route: null };
const refusal = {
  state: 'refused',
  permanent: false,
  reason: 'gatewayUnavailable',
  elsewhere: true,
} as const;

function world() {
  const timers = testTimers();
  const lines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(line) });
  const limiter = (name: string) =>
    createLimiter({ name, timers, random: () => 0, breakerChanged: logBreaker(log, name) });
  const logged = () =>
    lines.splice(0).map((line) => {
      const { level, gateway, detail } = JSON.parse(line);
      return [level, gateway, ...(detail === undefined ? [] : [detail])];
    });
  return { timers, limiter, logged };
}
const [info, warn] = [30, 40];

test('one line when the first gateway of a route opens its breaker, none for failed probes, one when it works again', async () => {
  const { timers, limiter, logged } = world();
  const [first, second] = [recordedSms(), recordedSms()];
  const list = routed([
    throttled({ ...first, name: 'a' }, limiter('a')),
    throttled({ ...second, name: 'b' }, limiter('b')),
  ]);
  const fail = (detail: string, times = 1) =>
    first.next(...Array<SmsOutcome>(times).fill({ ...refusal, detail }));
  const send = async () => assert.equal((await sendSms(list, sms)).state, 'accepted');

  fail('Away.', failuresToOpen - 1);
  for (let i = 1; i < failuresToOpen; i++) await send();
  assert.deepEqual(logged(), []);
  fail('user=pitlane at http://kannel.example:13013/?password=x refused +61491570006 (ECONNREFUSED).');
  await send();
  assert.deepEqual(logged(), [[warn, 'a', 'user=… at … refused … (ECONNREFUSED).']]);

  for (let trial = 0; trial < 3; trial++) {
    await timers.pass(longestOpenMs);
    fail('Still away.');
    await send();
  }
  assert.deepEqual([first.sent.length, logged()], [failuresToOpen + 3, []]);
  await timers.pass(longestOpenMs);
  await send();
  assert.deepEqual(logged(), [[info, 'a']]);
});

test('a mail server is logged too, and one whose send throws', async () => {
  const { limiter, logged } = world();
  const smtp = recordedEmail();
  const email = throttledEmail({ ...smtp, name: 'smtp' }, limiter('smtp'));
  const message = { to: 'kim@example.com' } as Parameters<typeof email.send>[0];
  smtp.next(
    ...Array<() => never>(failuresToOpen).fill(() => {
      throw new Error('kim@example.com');
    }),
  );
  for (let i = 0; i < failuresToOpen; i++) await assert.rejects(email.send(message));
  assert.deepEqual(logged(), [[warn, 'smtp', 'The gateway failed before it answered.']]);
});
