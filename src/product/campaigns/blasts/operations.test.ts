/** GET and POST of blasts (specification: Blasts 2): each success and each refusal. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setFeature } from '#product/partners/features.ts';
import { setLink } from '#product/workshops/link.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { campaignWorld } from '../../../../test/fixtures/campaigns.ts';
import { linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { changeBlast } from './change.ts';
import { triggerOwnBlast } from './own.ts';

const world = await campaignWorld();
const { app, db, clock, partner, workshopId, blasts, blast, read, trigger, work, customers } = world;
const { partnerId } = partner;
const other = await signedInPartner(app, 'Other');
const otherWorkshop = await linkedWorkshop(app, [other]);
const none = { recipients: 0, waiting: 0, sent: 0, delivered: 0, failed: 0, unknown: 0, skipped: 0 };
await customers(3);

const refused = async (status: number, errorCode: string, answer: ReturnType<typeof trigger>) => {
  const { status: got, body } = await answer;
  assert.deepEqual([got, body.errorCode], [status, errorCode], JSON.stringify(body));
  return body;
};

test('a draft is read and listed, page by page, at both paths, even when the link is off', async () => {
  const ids = [await blast(), await blast({ audience: '{"tags":["vip"]}' })];
  const one = await read(ids[1] ?? '');
  assert.deepEqual(
    [one.status, one.audience, one.scheduledAt, one.startedAt, one.endedAt, one.counts],
    ['draft', { tags: ['vip'] }, null, null, null, none],
  );
  assert.deepEqual(Object.keys(one).sort(), [
    ...['audience', 'counts', 'createdAt', 'endedAt', 'id', 'name', 'scheduledAt', 'startedAt', 'status'],
    ...['templateId', 'updatedAt'],
  ]);
  await setLink({ db, clock }, { partnerId, workshopId, active: false }, actors.operator);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await partner.call('GET', `/v1${blasts}?limit=1${cursor}`);
    assert.equal(status, 200);
    seen.push(...body.blasts.map(({ id }: { id: string }) => id));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  assert.deepEqual(seen, ids);
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
});

test('400: an invalid limit, cursor or scheduledAt, and a referenceId that is too long', async () => {
  const id = await blast();
  for (const query of ['limit=0', 'limit=201', 'cursor=x'])
    await refused(400, '000001', partner.call('GET', `${blasts}?${query}`));
  for (const [body, field] of [
    [{ scheduledAt: '2030-05-01' }, 'scheduledAt'],
    [{ scheduledAt: 5 }, 'scheduledAt'],
    [{ referenceId: 'x'.repeat(256) }, 'referenceId'],
  ] as const) {
    const { errors } = await refused(400, '000001', trigger(id, body));
    assert.equal(errors[0].field, field);
  }
  assert.equal((await read(id)).status, 'draft');
});

test('401 without a token; 404 for another tenant, an unknown workshop, blast, or id', async () => {
  const id = await blast();
  for (const [method, path] of [
    ['GET', blasts],
    ['GET', `${blasts}/${id}`],
    ['POST', `${blasts}/${id}/trigger`],
  ] as const) {
    const { status } = await app.request(method, path, { headers: { 'x-partner-id': partnerId } });
    assert.equal(status, 401);
    await refused(404, '030001', other.call(method, path));
    for (const unknown of [newId(), 'x']) {
      await refused(404, '030001', partner.call(method, path.replace(workshopId, unknown)));
      if (path.includes(id)) await refused(404, '090001', partner.call(method, path.replace(id, unknown)));
    }
    // A blast of another workshop is not found under a workshop of this partner.
    if (path.includes(id))
      await refused(404, '090001', other.call(method, path.replace(workshopId, otherWorkshop)));
  }
  assert.equal((await read(id)).status, 'draft');
});

test('403: the feature, then the link and the inbox; a refused call changes nothing (specification: Automations 6)', async () => {
  const id = await blast();
  const feature = (enabled: boolean) =>
    setFeature({ db, clock }, { partnerId, feature: 'campaigns', enabled }, actors.operator);
  await setLink({ db, clock }, { partnerId, workshopId, active: false }, actors.operator);
  await feature(false);
  await refused(403, '000003', trigger(id));
  await feature(true);
  await refused(403, '000004', trigger(id));
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  await setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'off' }, actors.operator);
  await refused(403, '000004', trigger(id));
  await setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'on' }, actors.operator);
  // Messages to one customer are another feature.
  await setFeature({ db, clock }, { partnerId, feature: 'messaging', enabled: false }, actors.operator);
  assert.equal((await trigger(id)).status, 202);
  await setFeature({ db, clock }, { partnerId, feature: 'messaging', enabled: true }, actors.operator);
});

test('202: a trigger without a body sends to all; a second one is 409; the same referenceId returns the same blast', async () => {
  const id = await blast();
  const { status, body } = await partner.call('POST', `${blasts}/${id}/trigger`);
  assert.deepEqual([status, body.blast.status, body.success], [202, 'scheduled', true]);
  assert.match((await refused(409, '090002', trigger(id))).message, /scheduled; only a draft/);
  await work();
  const done = await read(id);
  assert.deepEqual([done.status, done.counts], ['completed', { ...none, recipients: 3, sent: 3 }]);
  assert.ok(done.startedAt !== null && done.endedAt !== null);
  await refused(409, '090002', trigger(id));

  const plain = await blast();
  assert.equal((await trigger(plain, { referenceId: '', scheduledAt: '' })).status, 202);
  await refused(409, '090002', trigger(plain, { referenceId: '' }));

  const named = await blast();
  const first = await trigger(named, { referenceId: 'winter' });
  const again = await trigger(named, { referenceId: 'winter', scheduledAt: '2040-01-01T00:00:00Z' });
  assert.deepEqual([again.status, again.body], [202, first.body]);
  await work();
  assert.deepEqual((await trigger(named, { referenceId: 'winter' })).body.blast, await read(named));
  await refused(409, '090002', trigger(named, { referenceId: 'summer' }));
});

test('the same referenceId of another partner is another key', async () => {
  const id = await blast();
  const second = await signedInPartner(app, 'Second');
  await setLink({ db, clock }, { partnerId: second.partnerId, workshopId, active: true }, actors.operator);
  assert.equal((await trigger(id, { referenceId: 'r' })).status, 202);
  await refused(409, '090002', second.call('POST', `${blasts}/${id}/trigger`, { referenceId: 'r' }));
});

test('an Idempotency-Key replays the response, and refuses another body', async () => {
  const id = await blast();
  const key = { 'idempotency-key': 'blast-1' };
  const first = await trigger(id, {}, key);
  const again = await trigger(id, {}, key);
  assert.deepEqual([first.status, again.status, again.body], [202, 202, first.body]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  await refused(422, '000008', trigger(id, { referenceId: 'x' }, key));
});

test('always: two concurrent triggers: one schedules the blast, and each customer gets one SMS', async () => {
  const id = await blast();
  await work();
  app.sms.clear();
  const answers = await Promise.all(Array.from({ length: 8 }, () => trigger(id)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    202,
    ...Array.from({ length: 7 }, () => 409),
  ]);
  await work();
  assert.equal(app.sms.sent.length, 3);
});

test('a blast whose partner may no longer trigger it does not begin until that is corrected; one triggered by staff begins', async () => {
  world.until(12);
  const scheduledAt = new Date(clock.now().getTime() + 60_000).toISOString();
  const [id, own] = [await blast(), await blast()];
  assert.equal((await trigger(id, { scheduledAt })).status, 202);
  await setFeature({ db, clock }, { partnerId, feature: 'campaigns', enabled: false }, actors.operator);
  await triggerOwnBlast(app.context, own, undefined, actors.operator);
  app.advance(61);
  await work();
  assert.deepEqual([(await read(id)).status, (await read(own)).status], ['paused', 'completed']);
  assert.equal((await read(id)).counts.recipients, 0);
  await setFeature({ db, clock }, { partnerId, feature: 'campaigns', enabled: true }, actors.operator);
  await changeBlast(app.context, id, 'resume', actors.operator);
  await work();
  assert.equal((await read(id)).status, 'completed');
});
