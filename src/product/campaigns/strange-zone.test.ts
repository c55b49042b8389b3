/** One workshop with an invalid stored time zone does not stop the blasts, automations and messages of others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { createAutomation } from '#product/campaigns/automations/create.ts';
import { runAutomations } from '#product/campaigns/automations/run.ts';
import { triggerOwnBlast } from '#product/campaigns/blasts/own.ts';
import { automationWorld } from '../../../test/fixtures/campaigns.ts';
import { publishedTemplate } from '../../../test/fixtures/templates.ts';
import { failedWork } from '../../../test/harness/failed-work.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { createBlast } from './blasts/create.ts';

const world = await automationWorld();
const { app, db, clock, context, partner, workshopId } = world;
expectErrors(/a piece of work failed/);

async function campaigns(of: string) {
  const templateId = await publishedTemplate({ db, clock }, { workshopId: of, name: 'T', body: 'Come by.' });
  const shared = { workshop: of, template: templateId };
  const blast = await createBlast({ db, clock }, { ...shared, name: 'B' }, actors.operator);
  const quietHours = '21:00-07:00';
  const automation = await createAutomation(
    { db, clock },
    {
      ...shared,
      name: 'A',
      trigger: 'manual',
      quietHours,
    },
    actors.operator,
  );
  const [customerId = ''] = await world.customers(1, of);
  const run = async (referenceId: string) => {
    const path = `/workshops/${of}/automations/${automation.id}/trigger`;
    const { status, body } = await partner.call('POST', path, { customerId, referenceId });
    assert.equal(status, 202, JSON.stringify(body));
  };
  return { blastId: blast.id, automationId: automation.id, run };
}

test('a workshop in AET', async () => {
  const strangeId = await linkedWorkshop(app, [partner]);
  const [strange, usual] = [await campaigns(strangeId), await campaigns(workshopId)];
  // Queued with quiet hours, and not sent yet: a claim uses the time zone of its workshop.
  await strange.run('before');
  assert.equal(await runAutomations(context), 1);
  assert.equal((await db.query('SELECT FROM queued_message')).length, 1);
  await strange.run('after');
  await db.query(`UPDATE workshop SET timezone = 'AET' WHERE id = $1`, [strangeId]);
  await usual.run('after');
  await triggerOwnBlast({ db, clock }, usual.blastId, undefined, actors.operator);
  await db.query(
    `UPDATE blast SET status = 'scheduled', scheduled_at = $2::timestamptz - interval '1 minute' WHERE id = $1`,
    [strange.blastId, clock.now()],
  );
  await world.work();
  assert.equal((await world.read(usual.blastId)).status, 'completed');
  assert.deepEqual(
    (await world.runs(usual.automationId)).map(({ status }) => status),
    ['sent'],
  );
  // Its quiet hours are read as UTC, so it depends on the present time whether they are over.
  const queued = await db.query<{ isDue: boolean }>(
    'SELECT due_at <= clock_timestamp() AS is_due FROM queued_message',
  );
  assert.ok(
    queued.every(({ isDue }) => !isDue),
    'an entry that is due was left',
  );
  assert.deepEqual(
    (await failedWork(db)).map(({ job, tries }) => [job, tries]),
    [
      ['advanceBlast', 1],
      ['runAutomation', 1],
    ],
  );
  assert.equal(context.sms, app.sms);
});
