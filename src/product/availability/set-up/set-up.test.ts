/** Setting a workshop up by JSON (specification: Setting up a workshop): import, export, every fault, the published schema. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { systemClock } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { wholeSetup as whole } from '../../../../test/fixtures/whole-setup.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { exportWorkshop } from './export.ts';
import { importWorkshop } from './import.ts';

const { db } = await createTestDatabase();
const clock = systemClock();
const root = new URL('../../../../', import.meta.url);

const newWorkshop = () => linkedWorkshop({ context: { db, clock } }, []);
const setUp = (file: object) => importWorkshop({ db, clock }, JSON.stringify(file), actors.operator);

async function versionOf(workshopId: string): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    'SELECT setup_version AS version FROM workshop WHERE id = $1',
    [workshopId],
  );
  return row?.version ?? -1;
}

async function faultsIn(file: unknown): Promise<string[]> {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const error = await importWorkshop({ db, clock }, text, actors.operator).then(
    () => assert.fail('the import was not refused'),
    (refused: unknown) => refused,
  );
  assert.ok(error instanceof OperatorError, String(error));
  return error.message.split('; ');
}

test('an imported set-up is exported unchanged; an absent weekday is closed, an absent setting has its default (specification: Setting up a workshop 2)', async () => {
  const workshopId = await newWorkshop();
  await setUp({ workshopId, ...whole });
  const { services, hours, pickupTimes, custom, ...rest } = await exportWorkshop(db, workshopId);
  const { settings, address, categories } = whole;
  assert.deepEqual(rest, { workshopId, settings, address, categories });
  const empty = { tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };
  assert.deepEqual(hours, { monday: whole.hours.monday, ...empty });
  assert.deepEqual(pickupTimes, { monday: ['17:00', '16:00'], ...empty });
  assert.deepEqual(custom, [
    { date: '2027-03-26', hours: [], bays: null, pickupTimes: null, note: 'Good Friday' },
    whole.custom[0],
  ]);
  const unset = {
    cost: null,
    maxCost: null,
    icon: null,
    color: null,
    dailyLimit: null,
    durationMinutes: null,
    description: null,
  };
  assert.deepEqual(services, [whole.services[0], { ...whole.services[1], ...unset }]);

  await setUp({ workshopId, settings: { bays: 5 } });
  const after = await exportWorkshop(db, workshopId);
  assert.equal(after.settings.bays, 5);
  assert.equal(after.settings.slotMinutes, 30);
  assert.deepEqual([after.hours, after.services], [hours, services]);
});

test('importing an export changes nothing, also for a workshop without a set-up (specification: Setting up a workshop 2)', async () => {
  for (const file of [{}, whole]) {
    const workshopId = await newWorkshop();
    await setUp({ workshopId, ...file });
    const rows = () =>
      db.query('SELECT * FROM workshop w LEFT JOIN workshop_logo l ON l.workshop_id = w.id WHERE w.id = $1', [
        workshopId,
      ]);
    const before = await rows();
    const exported = await exportWorkshop(db, workshopId);
    await setUp(exported);
    assert.deepEqual(await exportWorkshop(db, workshopId), exported);
    assert.deepEqual(await rows(), before);
  }
});

test('changes of slots or limits increment the version', async () => {
  const workshopId = await newWorkshop();
  assert.equal(await versionOf(workshopId), 0);
  let expected = 0;
  for (const [name, section] of Object.entries(whole)) {
    await setUp({ workshopId, [name]: section });
    assert.equal(await versionOf(workshopId), ++expected, name);
  }
  await setUp({ workshopId, ...whole });
  await setWorkshop({ db, clock }, workshopId, { name: 'Renamed' }, actors.operator);
  assert.equal(await versionOf(workshopId), expected);
  await setWorkshop({ db, clock }, workshopId, { timezone: 'Australia/Perth' }, actors.operator);
  assert.equal(await versionOf(workshopId), expected + 1);
});

test('services keep their id by catalogCode; a service that is not listed is inactive until it is listed again (specification: Setting up a workshop 3)', async () => {
  const workshopId = await newWorkshop();
  const service = (catalogCode: string, title = catalogCode) => ({ catalogCode, title, category: 'others' });
  const codes = (imported: { services: readonly { catalogCode: string }[] }) =>
    imported.services.map(({ catalogCode }) => catalogCode);
  const first = await setUp({ workshopId, services: [service('a'), service('b'), service('c')] });
  assert.deepEqual(codes(first), ['a', 'b', 'c']);
  const second = await setUp({ workshopId, services: [service('c', 'New'), service('a')] });
  assert.deepEqual(second.services, [first.services[2], first.services[0]]);
  assert.deepEqual(
    (await exportWorkshop(db, workshopId)).services.map(({ title }) => title),
    ['New', 'a'],
  );
  const third = await setUp({ workshopId, services: [service('b'), service('d')] });
  assert.deepEqual(codes(third), ['b', 'd']);
  assert.equal(third.services[0]?._id, first.services[1]?._id);
  assert.deepEqual((await setUp({ workshopId })).services, third.services);
  // A service with the same code at another workshop is another service.
  const other = await setUp({ workshopId: await newWorkshop(), services: [service('b')] });
  assert.notEqual(other.services[0]?._id, third.services[0]?._id);
});

test('every fault is named with its path, and nothing is written (specification: Setting up a workshop 1)', async () => {
  const workshopId = await newWorkshop();
  const before = await exportWorkshop(db, workshopId);
  const range = { from: '08:00', to: '12:00' };
  const faults = await faultsIn({
    workshopId,
    settings: { bays: 1.5, slotMinutes: 1, colour: 'green', lunch: true },
    hours: {
      monday: [range, { from: '13:00', to: '13:00' }],
      tuesday: [range, { from: '11:00', to: '25:00' }],
      mon: [],
    },
    pickupTimes: { friday: ['16:00', '9:00', '16:00'] },
    custom: [
      { date: '2027-02-29', hours: [] },
      { date: '2027-03-01', hours: [{ from: '10:00', to: '09:00' }] },
      { date: '2027-03-01' },
    ],
    categories: [
      { code: 'tyres', dailyLimit: -1 },
      { code: 'wheels', dailyLimit: null },
      { code: 'tyres', dailyLimit: 2 },
    ],
    services: [
      { catalogCode: 'a', title: '', category: 'service', cost: 10, maxCost: 9 },
      { catalogCode: 'a', title: 'A', category: 'service', cost: 1.005 },
    ],
  });
  assert.deepEqual(faults.sort(), [
    'categories[0].dailyLimit: must be at least 0',
    'categories[1].code: must be one of: service, tyres, repair, others',
    'categories[2].code: is the same as categories[0].code',
    'custom[0].date: must be a date such as 2026-03-02, from 1900 to 2199',
    'custom[1].hours[0].to: must be after from',
    'custom[2].date: is the same as custom[1].date',
    'custom[2].hours: is required',
    'hours.mon: is not known here',
    'hours.monday[1].to: must be after from',
    'hours.tuesday[1].from: must not be before 12:00, the end of the range before it',
    'hours.tuesday[1].to: must be a time such as 08:30',
    'pickupTimes.friday[1]: must be a time such as 08:30',
    'pickupTimes.friday[2]: is the same as pickupTimes.friday[0]',
    'services[0].maxCost: must not be less than cost',
    'services[0].title: must not be empty',
    'services[1].catalogCode: is the same as services[0].catalogCode',
    'services[1].cost: must be an amount with at most two decimals',
    'settings.bays: must be an integer',
    'settings.colour: must be a colour such as #0a7d5a',
    'settings.lunch: is not known here',
    'settings.slotMinutes: must be at least 5',
  ]);
  assert.deepEqual(await exportWorkshop(db, workshopId), before);
});

test('a file that is not a set-up, or for an unknown workshop', async () => {
  assert.match((await faultsIn('{ "workshopId": '))[0] ?? '', /^the file is no JSON: /);
  assert.deepEqual(await faultsIn('[]'), ['the file: must be an object']);
  assert.deepEqual(await faultsIn({}), ['workshopId: is required']);
  for (const workshopId of [newId(), 'nowhere']) {
    assert.match((await faultsIn({ workshopId, services: [] }))[0] ?? '', /^there is no workshop /);
  }
  await assert.rejects(exportWorkshop(db, 'nowhere'), /there is no workshop nowhere/);
});

test('after ten concurrent imports one of them is stored, completely', async () => {
  const workshopId = await newWorkshop();
  const fileOf = (n: number) => ({
    workshopId,
    settings: { bays: n },
    categories: [{ code: 'tyres', dailyLimit: n }],
    services: Array.from({ length: 3 }, (_, m) => ({
      catalogCode: `s${(n + m) % 5}`,
      title: `${n}`,
      category: 'others',
    })),
  });
  const numbers = Array.from({ length: 10 }, (_, n) => n);
  await Promise.all(numbers.map((n) => setUp(fileOf(n))));
  const { settings, categories, services } = await exportWorkshop(db, workshopId);
  const { services: expected } = fileOf(settings.bays);
  assert.deepEqual(categories, [{ code: 'tyres', dailyLimit: settings.bays }]);
  assert.deepEqual(
    services.map(({ catalogCode, title }) => [catalogCode, title]),
    expected.map(({ catalogCode, title }) => [catalogCode, title]),
  );
});

test('the published schema accepts what the import accepts, and names what it refuses (specification: Setting up a workshop 1)', async () => {
  const schema = JSON.parse(readFileSync(new URL('docs/workshop.schema.json', root), 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv, ['date']);
  const validate = ajv.compile(schema);
  const workshopId = await newWorkshop();
  const file = { $schema: 'workshop.schema.json', workshopId, ...whole };
  assert.ok(validate(file), JSON.stringify(validate.errors));
  await setUp(file);
  assert.ok(validate(await exportWorkshop(db, workshopId)), JSON.stringify(validate.errors));
  assert.equal(validate({ workshopId, hours: { monday: [{ from: '8:00', to: '12:00' }] } }), false);
  assert.equal(validate({ workshopId, settings: { lunch: true } }), false);
});
