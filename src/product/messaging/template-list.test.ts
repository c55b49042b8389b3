/** GET /v1/workshops/{id}/templates (specification: Templates 4). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setFeature } from '#product/partners/features.ts';
import { publishTemplate, unpublishTemplate } from '#product/templates/publish.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { fromTemplate, messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, send, template } = await messagingWorld();
const { db, clock } = app.context;
const other = await signedInPartner(app, 'Another Partner');

const list = (at = workshopId, query = '', by = partner) =>
  by.call('GET', `/v1/workshops/${at}/templates${query}`);
const idsIn = (body: { templates: { id: string }[] }) => body.templates.map(({ id }) => id);

test('the published templates with every field; each id can be sent', async () => {
  const body = 'Hi {{ customer.firstName }}, {{ car.make }} {{ customer.firstName }}';
  const speaking = await template(body, { name: 'Ready' });
  const plain = await template('Thank you', { name: 'Thanks' });
  const { status, body: answer } = await list();
  assert.equal(status, 200);
  const [{ updatedAt }] = answer.templates;
  assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(answer.templates[0], {
    id: speaking,
    name: 'Ready',
    body,
    placeholders: ['car.make', 'customer.firstName'],
    requiresBooking: true,
    status: 'published',
    updatedAt,
  });
  assert.deepEqual([answer.templates[1].placeholders, answer.templates[1].requiresBooking], [[], false]);
  assert.deepEqual([answer.success, answer.nextCursor, idsIn(answer)], [true, null, [speaking, plain]]);
  assert.equal((await send({ phone: newPhone(), ...fromTemplate(plain) })).success, true);
});

test('it works without /v1 too', async () => {
  const { body } = await partner.call('GET', `/workshops/${workshopId}/templates`);
  assert.deepEqual(body, (await list()).body);
});

test('no drafts, no unpublished templates, no texts of notices, and none of another workshop', async () => {
  const at = await linkedWorkshop(app, [partner]);
  assert.deepEqual((await list(at)).body, { success: true, templates: [], nextCursor: null });
  const shown = await template('Shown', { workshopId: at });
  const draft = await template('Draft', { workshopId: at, draft: true });
  const taken = await template('Taken back', { workshopId: at });
  await unpublishTemplate({ db, clock }, taken, actors.operator);
  await template('A notice', { workshopId: at, purpose: 'bookingCreated.customer.sms' });
  await template('Elsewhere');
  assert.deepEqual(idsIn((await list(at)).body), [shown]);
  await publishTemplate({ db, clock }, draft, actors.operator);
  assert.deepEqual(idsIn((await list(at)).body), [shown, draft]);
});

test('it is paged by limit and cursor, each template once', async () => {
  const at = await linkedWorkshop(app, [partner]);
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.push(await template(`Text ${i}`, { workshopId: at }));
  const pages: string[][] = [];
  let query = '?limit=2';
  for (let page = 0; page < 3; page++) {
    const { body } = await list(at, query);
    pages.push(idsIn(body));
    assert.equal(body.nextCursor === null, page === 2);
    query = `?limit=2&cursor=${body.nextCursor}`;
  }
  assert.deepEqual(pages.flat(), made);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2, 1],
  );
  const exact = (await list(at, '?limit=5')).body;
  assert.deepEqual([exact.templates.length, exact.nextCursor], [5, null]);
});

test('400 000001 for an invalid limit or cursor', async () => {
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?limit=1.5']) {
    assertProblem(await list(workshopId, query), 400, '000001', ['limit']);
  }
  assertProblem(await list(workshopId, '?cursor=nonsense'), 400, '000001', ['cursor']);
});

test('it makes the same checks as messaging, in the same order', async () => {
  const unlinked = await linkedWorkshop(app, [other], { inboxMessaging: 'off' });
  for (const id of [newId(), 'no-uuid', unlinked]) assertProblem(await list(id), 404, '030001');

  const inboxOff = await linkedWorkshop(app, [partner, other], { inboxMessaging: 'off' });
  assertProblem(await list(inboxOff), 403, '000004');

  const linkOff = await linkedWorkshop(app, [partner, other]);
  for (const { partnerId } of [partner, other]) {
    await setLink({ db, clock }, { partnerId, workshopId: linkOff, active: false }, actors.operator);
  }
  assertProblem(await list(linkOff), 403, '000004');

  await setFeature(
    { db, clock },
    { partnerId: other.partnerId, feature: 'messaging', enabled: false },
    actors.operator,
  );
  for (const id of [unlinked, inboxOff, linkOff]) assertProblem(await list(id, '', other), 403, '000003');
  assertProblem(await list(workshopId, '', other), 404, '030001');
});

test('401 010000 without a token', async () => {
  assertProblem(await app.request('GET', `/workshops/${workshopId}/templates`), 401, '010000');
});
