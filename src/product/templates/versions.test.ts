/** Each change of a template creates a version; names differ within a workshop. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { createTemplate, type TemplateInput } from './create.ts';
import { publishTemplate } from './publish.ts';
import { findTemplate, findVersion, listTemplates, listVersions } from './store.ts';
import type { Texts } from './texts.ts';
import { updateTemplate } from './update.ts';

const { db } = await createTestDatabase();
const clock = testClock();

async function newWorkshop(): Promise<string> {
  const contact = { country: 'AU', timezone: 'Australia/Perth', phone: '0491570006', email: 'a@b.example' };
  return (await createWorkshop({ db, clock }, { name: 'W', ...contact }, actors.operator)).workshopId;
}
const workshopId = await newWorkshop();

const create = async (input: Partial<TemplateInput> = {}) =>
  (await createTemplate({ db, clock }, { workshopId, name: newId(), body: 'One', ...input }, actors.operator))
    .templateId;
const update = (templateId: string, texts: Texts) =>
  updateTemplate({ db, clock }, templateId, texts, actors.operator);
const bodies = async (templateId: string) =>
  (await listVersions(db, templateId, 50)).map(({ version, body }) => [version, body]);

test('an update creates a version with the given texts, and earlier versions stay', async () => {
  const templateId = await create({ name: 'Hello' });
  const createdAt = clock.now();
  clock.advance({ hours: 1 });
  assert.deepEqual(await update(templateId, { body: 'Two {{ booking.code }}' }), {
    templateId,
    version: 2,
    warnings: [],
  });
  assert.equal((await update(templateId, { name: 'Hi' })).version, 3);
  assert.deepEqual(await bodies(templateId), [
    [3, 'Two {{ booking.code }}'],
    [2, 'Two {{ booking.code }}'],
    [1, 'One'],
  ]);
  const first = { subject: null, placeholders: [], requiresBooking: false, createdAt };
  assert.deepEqual(await findVersion(db, templateId, 1), {
    templateId,
    version: 1,
    name: 'Hello',
    body: 'One',
    ...first,
  });
  const { version, requiresBooking, placeholders, name, updatedAt } =
    (await findTemplate(db, templateId)) ?? {};
  assert.deepEqual(
    [version, requiresBooking, placeholders, name, updatedAt],
    [3, true, ['booking.code'], 'Hi', clock.now()],
  );
  assert.equal(await findVersion(db, templateId, 4), null);
  assert.equal((await listVersions(db, templateId, 1)).length, 1);
});

test('equal texts create no version, and neither does publishing', async () => {
  const templateId = await create({ name: 'Same' });
  assert.equal((await update(templateId, { name: 'Same', body: ' One ' })).version, 1);
  await publishTemplate({ db, clock }, templateId, actors.operator);
  assert.deepEqual(await bodies(templateId), [[1, 'One']]);
  assert.equal((await update(templateId, { body: 'Two' })).version, 2);
  assert.equal((await findTemplate(db, templateId))?.status, 'published');
});

test('the subject of an e-mail is versioned too; an empty one restores the default', async () => {
  const purpose = 'bookingCreated.customer.email';
  const templateId = await create({ purpose, subject: 'Booked' });
  assert.equal((await update(templateId, { subject: 'Booked: {{ booking.code }}' })).version, 2);
  assert.equal((await update(templateId, { subject: ' ' })).version, 3);
  const subjects = (await listVersions(db, templateId, 50)).map(({ subject }) => subject);
  assert.deepEqual(subjects, [null, 'Booked: {{ booking.code }}', 'Booked']);
});

test('concurrent updates create a version each, and lose no field of another', async () => {
  const purpose = 'bookingCreated.customer.email';
  const templateId = await create({ purpose, subject: 'S' });
  const changes = [{ body: 'B' }, { subject: 'T' }, { name: 'N' }, { body: 'C' }];
  const versions = (await Promise.all(changes.map((texts) => update(templateId, texts)))).map(
    (it) => it.version,
  );
  assert.deepEqual(versions.toSorted(), [2, 3, 4, 5]);
  const found = await findTemplate(db, templateId);
  assert.deepEqual([found?.version, found?.name, found?.subject], [5, 'N', 'T']);
  assert.equal((await findVersion(db, templateId, 5))?.body, found?.body);
});

test('a refused update changes nothing', async () => {
  const templateId = await create();
  const refusals: [Texts, string[]][] = [
    [{ body: '' }, ['body']],
    [{ body: '{{ shoe.size }}' }, ['body']],
    [{ name: '', body: '{% if %}' }, ['name', 'body']],
    [{ subject: 'For an SMS' }, ['subject']],
  ];
  for (const [texts, fields] of refusals) {
    await assert.rejects(update(templateId, texts), (error) => {
      assert.ok(error instanceof InvalidInput);
      assert.deepEqual(
        error.errors.map(({ field }) => field),
        fields,
      );
      return true;
    });
  }
  await assert.rejects(update(newId(), { body: 'x' }), /no template/);
  assert.deepEqual(await bodies(templateId), [[1, 'One']]);
});

test('names differ within a workshop, ignoring case, also when several are created concurrently', async () => {
  const elsewhere = await newWorkshop();
  const taken = (error: unknown) => error instanceof InvalidInput && /another template/.test(error.message);
  await create({ name: 'Ready' });
  await create({ name: 'Ready', workshopId: elsewhere });
  await assert.rejects(create({ name: 'READY' }), taken);
  const other = await create({ name: 'Other' });
  await assert.rejects(update(other, { name: 'ready' }), taken);
  assert.equal((await update(other, { name: 'OTHER' })).version, 2);
  const raced = await Promise.allSettled(['Race', 'race', 'RACE'].map((name) => create({ name })));
  assert.equal(raced.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('the migration adds a number to duplicate names', async () => {
  const folder = new URL('../../../migrations/', import.meta.url);
  const file = readdirSync(folder).find((name) => name.endsWith('_template_versions.sql')) ?? '';
  const [, renaming = ''] =
    /(DO \$\$.*?CREATE UNIQUE INDEX template_name [^;]*;)/s.exec(
      readFileSync(new URL(file, folder), 'utf8'),
    ) ?? [];
  const at = await newWorkshop();
  for (const name of ['Twin', 'a', 'TWIN (2)', 'b', 'c']) await create({ workshopId: at, name });
  await db.query('DROP INDEX template_name');
  await db.query(`UPDATE template SET name = 'twin' WHERE workshop_id = $1 AND length(name) = 1`, [at]);
  await db.pool.query(`BEGIN; ${renaming} COMMIT`);
  const names = (await listTemplates(db, at)).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ['TWIN (2)', 'Twin', 'twin (3)', 'twin (4)', 'twin (5)']);
});
