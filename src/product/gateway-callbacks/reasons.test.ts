/** The provider's reason is shown with the outcome everywhere, in plain words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { listMessages } from '#product/messaging/inbox/store.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { recordReport } from './record-report.ts';

const { app, send, read, book } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;

const said = `Blocked\0by +61491570159, see https://user:secret@api.example/errors?token=abc ${'and more '.repeat(99)}`;
const told = /^Blocked by …, see … and more .{100,}…$/;
const refusal: SmsOutcome = { state: 'refused', permanent: true, reason: 'refused', detail: said };

const shown = async (messageId: string, conversationId: string) => {
  const { detail, attempts } = await read(messageId);
  const inbox = await listMessages(db, { conversationId, before: null, limit: 10 });
  return [detail, attempts.at(-1).detail, inbox.find((message) => message.messageId === messageId)?.detail];
};

test('the detail of a refusal or an unknown outcome: in the response, the message, the inbox', async () => {
  for (const outcome of [
    refusal,
    { ...refusal, permanent: false },
    { state: 'unknown', detail: said },
  ] as const) {
    sms.next(outcome);
    const { sms: result } = await send({ phone: newPhone() });
    assert.match(result.message, /\(Blocked by …, see … and more .*…\)$/);
    for (const detail of await shown(result.messageId, result.conversationId)) {
      assert.match(detail, told);
      assert.ok(detail.length <= 200);
    }
  }
});

test('the detail of a delivery report: in the message, its attempt, the inbox; a default text when it has none', async () => {
  for (const [state, detail, words] of [
    ['undelivered', said, told],
    ['undelivered', ' \0 ', /^The carrier could not deliver it, and does not say why\.$/],
    ['expired', null, /^The carrier could not deliver it in the time that it tries\.$/],
    ['delivered', said, null],
  ] as const) {
    for (const segment of [undefined, { id: '1', of: 1 }]) {
      const phone = newPhone();
      const { sms: result } = await send({ phone });
      const reference = sms.to(phone)[0]?.reference ?? '';
      await recordReport({ db, clock }, 'recorded', {
        reference,
        state,
        detail,
        ...(segment && { segment }),
      });
      assert.equal((await read(result.messageId)).state, state);
      for (const given of await shown(result.messageId, result.conversationId)) {
        if (words === null) assert.equal(given, null);
        else assert.match(given, words);
      }
    }
  }
});

test('dead letters of replies and notices contain the reason', async () => {
  expectErrors(/Blocked by …/);
  const phone = newPhone();
  const { sms: first } = await send({ phone });
  sms.always(phone, refusal);
  const { messageId } = await reply(context, first.conversationId, 'At 5 pm.', actors.operator);
  await book(phone);
  await app.drain();
  const letters = await listDeadLetters(db);
  assert.deepEqual(letters.map(({ job }) => job).sort(), ['send', 'send']);
  for (const { reason, detail } of letters) {
    assert.equal(reason, 'refused');
    assert.match(detail ?? '', told);
  }
  const inbox = await listMessages(db, { conversationId: first.conversationId, before: null, limit: 10 });
  const own = inbox.find((message) => message.messageId === messageId);
  assert.equal(own?.state, 'failed');
});
