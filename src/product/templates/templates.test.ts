import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { createTemplate, type TemplateInput } from './create.ts';
import { publishTemplate, unpublishTemplate } from './publish.ts';
import { findTemplate, listPublishedTemplates, listTemplates } from './store.ts';

const { db } = await createTestDatabase();
const clock = testClock();

let workshopId = '';
before(async () => {
  const settings = {
    name: 'W',
    country: 'AU',
    timezone: 'Australia/Perth',
    phone: '0491570006',
    email: 'a@b.example',
  };
  workshopId = (await createWorkshop({ db, clock }, settings, actors.operator)).workshopId;
});

let made = 0;
const create = (input: Partial<TemplateInput> = {}) =>
  createTemplate(
    { db, clock },
    {
      workshopId,
      name: `Ready ${++made}`,
      body: 'Hi {{ customer.firstName }}',
      ...input,
    },
    actors.operator,
  );

async function refused(input: Partial<TemplateInput>): Promise<string[]> {
  const count = (await listTemplates(db, workshopId)).length;
  const error: unknown = await create(input).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof InvalidInput, `not refused: ${JSON.stringify(input)}`);
  assert.equal((await listTemplates(db, workshopId)).length, count);
  return error.errors.map(({ field }) => field);
}

test('a new template is a draft for the inbox, stored with its placeholders', async () => {
  const { templateId } = await create({
    name: 'First',
    body: '{{ car.rego }} {{ customer.name }} {{ booking.code }} {{ car.rego }}',
  });
  assert.deepEqual(await findTemplate(db, templateId), {
    id: templateId,
    workshopId,
    purpose: 'inbox',
    name: 'First',
    subject: null,
    body: '{{ car.rego }} {{ customer.name }} {{ booking.code }} {{ car.rego }}',
    placeholders: ['booking.code', 'car.rego', 'customer.name'],
    requiresBooking: true,
    status: 'draft',
    version: 1,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  });
  const plain = await findTemplate(db, (await create()).templateId);
  assert.equal(plain?.requiresBooking, false);
});

test('a refusal names all faults', async () => {
  const bad: [Partial<TemplateInput>, string[]][] = [
    [{ name: '' }, ['name']],
    [{ body: ' ' }, ['body']],
    [{ body: 'a\0b' }, ['body']],
    [{ body: '{{ shoe.size }}' }, ['body']],
    [{ body: '{{ customer.name' }, ['body']],
    [{ body: '{% include "x" %}' }, ['body']],
    [{ purpose: 'outbox' }, ['purpose']],
    [{ purpose: 'bookingCreated.customer.fax' }, ['purpose']],
    [{ subject: 'Hello' }, ['subject']],
    [{ purpose: 'bookingCreated.customer.email', subject: '{{ x }}' }, ['subject']],
    [{ name: '', body: '', purpose: '' }, ['name', 'body', 'purpose']],
  ];
  for (const [input, fields] of bad) assert.deepEqual(await refused(input), fields, JSON.stringify(input));
  await assert.rejects(create({ workshopId: newId() }), /no workshop/);
});

test('published inbox templates are listed page by page, drafts and texts of notices are not', async () => {
  await create({ name: 'Draft' });
  const notice = await create({
    purpose: 'bookingCreated.customer.email',
    subject: 'Booked {{ booking.code }}',
  });
  await publishTemplate({ db, clock }, notice.templateId, actors.operator);
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) {
    const { templateId } = await create();
    await publishTemplate({ db, clock }, templateId, actors.operator);
    ids.push(templateId);
  }
  const seen: string[] = [];
  for (let after: string | null = null; ; ) {
    const rows = await listPublishedTemplates(db, { workshopId, after, limit: 2 });
    seen.push(...rows.slice(0, 2).map((row) => row.id));
    if (rows.length <= 2) break;
    after = seen.at(-1) ?? null;
  }
  assert.deepEqual(seen, ids.toSorted());
  assert.deepEqual(await listPublishedTemplates(db, { workshopId: newId(), after: null, limit: 2 }), []);

  await unpublishTemplate({ db, clock }, ids[0] ?? '', actors.operator);
  const left = await listPublishedTemplates(db, { workshopId, after: null, limit: 50 });
  assert.deepEqual(
    left.map((row) => row.id),
    ids.slice(1).toSorted(),
  );
});

test('a notice has one published text: a newly published one replaces it, also when several are published concurrently', async () => {
  const purpose = 'bookingCreated.workshop.sms';
  const ids = await Promise.all([1, 2, 3].map(async () => (await create({ purpose })).templateId));
  const [first = '', second = ''] = ids;
  assert.deepEqual((await publishTemplate({ db, clock }, first, actors.operator)).replaced, []);
  assert.deepEqual((await publishTemplate({ db, clock }, first, actors.operator)).replaced, []);
  assert.deepEqual((await publishTemplate({ db, clock }, second, actors.operator)).replaced, [first]);
  await Promise.all(ids.map((id) => publishTemplate({ db, clock }, id, actors.operator)));
  const published = (await listTemplates(db, workshopId)).filter(
    (row) => row.purpose === purpose && row.status === 'published',
  );
  assert.equal(published.length, 1);
});

test('an unknown template is named', async () => {
  for (const id of [newId(), 'none']) {
    await assert.rejects(publishTemplate({ db, clock }, id, actors.operator), /no template/);
    await assert.rejects(unpublishTemplate({ db, clock }, id, actors.operator), /no template/);
  }
});
