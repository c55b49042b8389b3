import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxEntry, SandboxOutbox } from '#platform/gateways/sandbox-outbox.ts';
import { testTimers } from '../../../../test/harness/timers.ts';
import type { OutboundSms, SmsOutcome } from './gateway.ts';
import { magicNumbers, sandboxSms } from './sandbox.ts';
import { sendSms } from './send.ts';

/** Keeps entries in memory, as the database does in `sandbox/store.ts`. */
function memoryOutbox(): SandboxOutbox & { readonly entries: SandboxEntry[] } {
  const entries: SandboxEntry[] = [];
  const find = (reference: string) => entries.findIndex((entry) => entry.reference === reference);
  return {
    entries,
    async keep(entry) {
      const at = find(entry.reference);
      if (at < 0) return `id-${entries.push(entry) - 1}`;
      if (entries[at]?.outcome === 'refused') entries[at] = entry;
      return `id-${at}`;
    },
    async accepted(reference) {
      const at = find(reference);
      return entries[at]?.outcome === 'accepted' ? `id-${at}` : null;
    },
    refusedBefore: async (messageId) =>
      entries.some((entry) => entry.messageId === messageId && entry.outcome === 'refused'),
  };
}

const sms = (to: string, reference = 'attempt-1', messageId = 'message-1'): OutboundSms => ({
  ...{ reference, messageId, to, from: null, body: 'Hi', route: null },
});
const signal = () => new AbortController().signal;
const stateOf = (outcome: SmsOutcome) =>
  outcome.state === 'refused' ? [outcome.state, outcome.permanent, outcome.reason] : [outcome.state];

test('any number is accepted and kept; the same reference a second time is kept once', async () => {
  const outbox = memoryOutbox();
  const gateway = sandboxSms({ outbox, latencyMs: 0 });
  const first = await gateway.send(sms('+61400000001'), signal());
  assert.deepEqual(first, { state: 'accepted', gatewayId: 'id-0' });
  assert.deepEqual(await gateway.send(sms('+61400000001'), signal()), first);
  assert.equal(outbox.entries.length, 1);
  assert.equal(outbox.entries[0]?.report, null);
  assert.deepEqual(await gateway.lookUp('attempt-1', signal()), first);
  assert.deepEqual(await gateway.lookUp('attempt-2', signal()), { state: 'notFound' });
});

test('0491570156 is refused permanently', async () => {
  const outbox = memoryOutbox();
  const gateway = sandboxSms({ outbox, latencyMs: 0 });
  for (const reference of ['a', 'b']) {
    const outcome = await gateway.send(sms(magicNumbers.refusedForGood, reference), signal());
    assert.deepEqual(stateOf(outcome), ['refused', true, 'refused']);
  }
  assert.deepEqual(await gateway.lookUp('a', signal()), { state: 'notFound' });
});

test('0355500159 is refused as carriers refuse a landline', async () => {
  const outbox = memoryOutbox();
  const gateway = sandboxSms({ outbox, latencyMs: 0 });
  const outcome = await gateway.send(sms(magicNumbers.landline), signal());
  assert.deepEqual(stateOf(outcome), ['refused', true, 'invalidNumber']);
  assert.deepEqual(
    outbox.entries.map(({ to, outcome: kept }) => [to, kept]),
    [[magicNumbers.landline, 'refused']],
  );
});

test('0491570157 refuses each message once, then accepts it', async () => {
  const gateway = sandboxSms({ outbox: memoryOutbox(), latencyMs: 0 });
  const send = async (reference: string, message: string) =>
    stateOf(await gateway.send(sms(magicNumbers.refusedOnce, reference, message), signal()));
  const refused = ['refused', false, 'temporarilyRefused'];
  assert.deepEqual(await send('a', 'one'), refused);
  assert.deepEqual(await send('b', 'one'), ['accepted']);
  assert.deepEqual(await send('c', 'two'), refused);
  // A retry under the same reference.
  assert.deepEqual(await send('c', 'two'), ['accepted']);
  assert.deepEqual(await send('c', 'two'), ['accepted']);
});

test('0491570158 never responds until the caller gives up; nothing was sent', async () => {
  const outbox = memoryOutbox();
  const gateway = sandboxSms({ outbox, latencyMs: 0 });
  const { after, pass } = testTimers();
  const outcome = sendSms(gateway, sms(magicNumbers.neverAnswers), undefined, after);
  await pass(10_000);
  assert.equal((await outcome).state, 'unknown');
  assert.deepEqual(await gateway.lookUp('attempt-1', signal()), { state: 'notFound' });
  assert.equal(outbox.entries.length, 0);
  await assert.rejects(gateway.send(sms(magicNumbers.neverAnswers), AbortSignal.abort()));
});

test('0491570159 is accepted, and an undelivered report is due', async () => {
  const outbox = memoryOutbox();
  const outcome = await sandboxSms({ outbox, latencyMs: 0 }).send(sms(magicNumbers.undelivered), signal());
  assert.equal(outcome.state, 'accepted');
  assert.equal(outbox.entries[0]?.report, 'undelivered');
});

test('0491570110 takes two seconds, others take the latency that is set', async () => {
  const outbox = memoryOutbox();
  const gateway = sandboxSms({ outbox, latencyMs: 50 });
  const timed = async (to: string, reference: string) => {
    const started = performance.now();
    assert.equal((await gateway.send(sms(to, reference), signal())).state, 'accepted');
    return performance.now() - started;
  };
  const [slow, other] = await Promise.all([timed(magicNumbers.slow, 'a'), timed('+61400000001', 'b')]);
  assert.ok(slow >= 1990 && slow < 8000, `${slow} ms`);
  assert.ok(other >= 45 && other < 1900, `${other} ms`);
});

test('a send that is aborted during the latency sends nothing', async () => {
  const outbox = memoryOutbox();
  const controller = new AbortController();
  const outcome = sandboxSms({ outbox, latencyMs: 60_000 }).send(sms('+61400000001'), controller.signal);
  controller.abort();
  await assert.rejects(outcome);
  assert.equal(outbox.entries.length, 0);
});
