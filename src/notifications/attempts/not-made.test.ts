/** A notice that could not be made, by whatever error: nothing was handed over, so nothing is in doubt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { deliverAnswerNotice } from '../answers/deliver.ts';
import { tellOfAnswers } from '../answers/tell.ts';

const { app, partner } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms } = app;
const { db } = context;

test('it is failed, and sent at the next attempt without asking anybody', async () => {
  const phone = newPhone();
  const smsSender = '+61488779900';
  await linkedWorkshop(app, [partner], { smsSender, phone, inboxNotices: 'sms' });
  await answer(newPhone(), 'Hello', { to: smsSender });
  await tellOfAnswers(context);
  const row = async () =>
    (
      await db.query<{ id: string; state: string; reason: string | null; repeatsUnknown: boolean }>(
        'SELECT id, state, reason, repeats_unknown AS "repeatsUnknown" FROM answer_notice WHERE recipient = $1',
        [phone],
      )
    )[0] ?? assert.fail('no notice');
  const { id } = await row();
  const broken: typeof db = {
    ...db,
    query: async (text, values) => {
      if (text.includes('told_in')) throw new Error('a bug');
      return db.query(text, values);
    },
  };
  await assert.rejects(deliverAnswerNotice({ ...context, db: broken }, { answerNoticeId: id }), /a bug/);
  assert.deepEqual(await row(), { id, state: 'failed', reason: 'error', repeatsUnknown: false });
  await deliverAnswerNotice(context, { answerNoticeId: id });
  assert.deepEqual(await row(), { id, state: 'accepted', reason: null, repeatsUnknown: false });
  assert.equal(sms.to(phone).length, 1);
});
