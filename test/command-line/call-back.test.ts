/** `pitlane lead called`, and `pitlane reminder send` and `stop`: as text, as JSON, and what they refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { reminderWorld } from '../fixtures/reminder-api.ts';
import { fail, json, succeed } from './run.ts';

const { app, partner, workshopId, newPhone, remind, readReminder, reminderEvents } = await reminderWorld();
const env = { DATABASE_URL: app.databaseUrl };

test('lead called: once, with a note; list shows it, --undo takes it back, and the call is as it was', async () => {
  const { body } = await partner.call('POST', '/leads/calls', {
    ...{ workshopId, callerPhone: newPhone(), outcome: 'missed', calledAt: app.clock.now().toISOString() },
  });
  const { id } = body.callLead;
  const called = ['lead', 'called', id];
  const stored = { callId: id, state: 'called' };
  assert.deepEqual(await json([...called, '--note', 'Comes on Monday'], env), {
    ...stored,
    before: 'waiting',
  });
  assert.deepEqual(await json(called, env), { ...stored, before: 'called' });
  assert.match((await succeed(['lead', 'list', '--workshop', workshopId], env)).stdout, /CALLED BACK/);
  assert.equal((await json(['lead', 'show', id], env))['calledBack'], true);
  assert.equal(
    (await succeed([...called, '--undo'], env)).stdout,
    `lead ${id}: waits to be called back (before: called)\n`,
  );
  assert.deepEqual((await partner.call('GET', `/leads/calls/${id}`)).body.callLead, body.callLead);
  await fail(['lead', 'called', newId()], env, 1, /no lead/);
  await fail([...called, '--note', 'x'.repeat(256)], env, 2, /--note must have at most 255 characters/);
});

test('reminder send and stop: once each; a reminder that is not scheduled is named', async () => {
  const sendAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
  const [one, other] = await Promise.all([0, 1].map(() => remind({ customerPhone: newPhone(), sendAt })));
  assert.ok(one && other);
  const { code } = one.serviceReminder;
  assert.equal((await succeed(['reminder', 'send', code], env)).stdout, `reminder ${code} is on its way\n`);
  await app.drain();
  assert.equal((await readReminder(code)).status, 'sent');
  await fail(['reminder', 'send', code], env, 1, /not scheduled any more/);
  const { id } = other.serviceReminder;
  assert.deepEqual(await json(['reminder', 'stop', id], env), { reminderId: id, status: 'cancelled' });
  assert.deepEqual(
    (await reminderEvents(id)).map(({ kind }) => kind),
    ['serviceReminder.scheduled', 'serviceReminder.cancelled'],
  );
  await fail(['reminder', 'stop', id], env, 1, /Only a scheduled reminder/);
});
