import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxEntry } from '#platform/gateways/sandbox-outbox.ts';
import { sandboxEmail } from './sandbox.ts';

const email = {
  reference: 'reference-1',
  to: 'ann@example.com',
  onBehalfOf: 'Carlton Motors',
  subject: 'Your booking',
  text: 'Plain',
  html: '<p>Rich</p>',
  calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR' },
} as const;

test('an e-mail is stored with all its parts', async () => {
  const kept: SandboxEntry[] = [];
  const gateway = sandboxEmail({
    outbox: {
      keep: async (entry) => `id-${kept.push(entry)}`,
      accepted: async () => null,
      refusedBefore: async () => false,
    },
    from: { name: 'Pitlane', address: 'noreply@example.com' },
  });
  assert.deepEqual(await gateway.send(email), { state: 'accepted', gatewayId: 'id-1' });
  assert.deepEqual(kept, [
    {
      reference: 'reference-1',
      messageId: 'reference-1',
      channel: 'email',
      outcome: 'accepted',
      to: 'ann@example.com',
      from: 'Carlton Motors via Pitlane <noreply@example.com>',
      subject: 'Your booking',
      body: 'Plain',
      html: '<p>Rich</p>',
      calendar: 'BEGIN:VCALENDAR',
      report: null,
    },
  ]);
});

test('an e-mail that can’t be stored is refused for now', async () => {
  const away = () => Promise.reject(new Error('no database'));
  const gateway = sandboxEmail({
    outbox: { keep: away, accepted: away, refusedBefore: away },
    from: { name: '', address: 'a@b.co' },
  });
  const outcome = await gateway.send(email);
  assert.ok(outcome.state === 'refused' && !outcome.permanent);
  assert.equal(outcome.reason, 'gatewayUnavailable');
});
