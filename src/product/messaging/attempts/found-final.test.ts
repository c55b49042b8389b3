/** A look-up of an unknown outcome that returns a final state, since the delivery report may be lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';

const { app, send, read } = await messagingWorld();

for (const state of ['undelivered', 'expired', 'delivered'] as const) {
  test(`always: the look-up says that the attempt is ${state}: the message gets this state, and nothing is sent again`, async () => {
    const phone = newPhone();
    const said = 'The carrier does not know +61 491 570 006.';
    const detail = state === 'delivered' ? null : 'The carrier does not know ….';
    app.sms.next({ state: 'unknown', detail: 'No answer.' });
    const { sms } = await send({ phone, referenceId: 'R' });
    const found = { ...accepted, final: { state, detail: said } };
    app.sms.setLookUp(app.sms.to(phone)[0]?.reference ?? '', found);

    const second = await send({ phone, referenceId: 'R' });
    assert.equal(second.success, true, 'the gateway had accepted it');
    const stored = await read(sms.messageId);
    assert.deepEqual([stored.state, stored.reason, stored.detail], [state, null, detail]);
    const attempts = stored.attempts.map((attempt: Record<string, unknown>) => attempt['state']);
    assert.deepEqual(attempts, [state]);
    assert.deepEqual(await send({ phone, referenceId: 'R' }), second);
    assert.equal(app.sms.to(phone).length, 1);
  });
}
