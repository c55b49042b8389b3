/**
 * Imports that are interrupted, repeated or run twice concurrently; at another workshop; and into full days (specification: Imports
 * 4, 5 and 7).
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { customersFile, importWorld } from '../../../test/fixtures/imports.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { rowsAtOnce } from './entries.ts';

const { app, workshopId, dryRun, run, customersOf } = await importWorld();
const { context } = app;
const { db, clock } = context;
let elsewhere = '';
before(async () => {
  elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
});

const many = (name: string, of: number) =>
  customersFile(
    ...Array.from({ length: of }, (_, n) => ({
      ...{ name: `${name} ${n % 50}`, phone: n % 3 === 0 ? '' : `+6149157${String(1000 + n)}` },
    })),
  );
test('interrupted in the middle and repeated, or run twice concurrently, nothing is created twice', async () => {
  const at = await linkedWorkshop(app, [], { name: 'Broken off' });
  const content = many('Many', 2 * rowsAtOnce + 50);
  await assert.rejects(run('customers', content, { at, breakAfter: 1 }), /broken off/);
  assert.equal(await customersOf(at), rowsAtOnce);
  const [one, other] = await Promise.all([
    run('customers', content, { at }),
    run('customers', content, { at }),
  ]);
  assert.equal(await customersOf(at), 2 * rowsAtOnce + 50);
  assert.equal(one.made.customersMade + other.made.customersMade, rowsAtOnce + 50);
  assert.equal(one.made.leftAlone + other.made.leftAlone, 3 * rowsAtOnce + 50);
});

test('the same file at another workshop creates new customers, and matches none of the first', async () => {
  const content = customersFile({ phone: '0491570156', name: 'Theirs' });
  const was = await customersOf(workshopId);
  const { made } = await run('customers', content, { at: elsewhere });
  assert.equal(made.customersMade, 1);
  assert.equal(await customersOf(workshopId), was);
});

test('a future booking takes its place, even if none is free, and the doctor reports no fault', async () => {
  const partner = await signedInPartner(app, 'Asks for times');
  const at = await linkedWorkshop(app, [partner], { name: 'Strict' });
  const hours = [{ from: '08:00', to: '17:00' }];
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const setUp = {
    workshopId: at,
    settings: { enforceAvailability: true, bays: 1 },
    hours: Object.fromEntries(days.map((day) => [day, hours])),
  };
  await importWorkshop({ db, clock }, JSON.stringify(setUp), actors.operator);
  const date = new Date(clock.now().getTime() + 9 * 86_400_000);
  const day = date.toISOString().slice(0, 10);
  const content = `Date,Time,Name\n${day},10:00,One\n${day},10:00,Two\n${day},10:00,Three\n`;
  const { made } = await run('bookings', content, { at });
  assert.equal(made.bookingsMade, 3);
  const { body } = await partner.call('GET', `/workshops/${at}/availabilities?from=${day}&to=${day}`);
  const times =
    JSON.stringify(body)
      .match(/"localTime":"\d\d:\d\d"/g)
      ?.map((text) => text.slice(13, 18)) ?? [];
  assert.deepEqual(
    [times.includes('09:30'), times.includes('10:00'), times.includes('10:30')],
    [true, false, true],
  );
  assert.deepEqual((await examine(context, { repair: false })).findings, []);
});

test('always: bookings of a file that was mended are asked about before they are made once more', async () => {
  const at = await linkedWorkshop(app, [], { name: 'Mended' });
  const file = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  const plain = file('Date,Time,Name,Rego', '2024-02-03,9:00,Ann Able,', '2024-02-03,9:00,Ben Best,BEN1');
  await run('bookings', plain, { at });
  const asked = async (content: string) =>
    (await dryRun('bookings', content, { at })).checked.questions?.map(({ kind, message }) => [
      kind,
      message.split(' already')[0],
    ]);
  assert.deepEqual(await asked(plain), []);
  const head = 'Date,Time,Name,Rego,Mobile';
  const mended = file(
    head,
    '2024-02-03,9:00,ann able,,0491570156',
    '2024-02-03,9:00,B. Best,BEN1,0491570157',
  );
  assert.deepEqual(await asked(mended), [['already-here', '2 of its bookings are here']]);
  // Another time, another person at that time, and another workshop.
  const others = file(head, '2024-02-03,9:15,Ann Able,,', '2024-02-03,9:00,Cat Coe,CAT1,0491570158');
  assert.deepEqual(await asked(others), []);
  assert.deepEqual((await dryRun('bookings', mended, { at: elsewhere })).checked.questions, []);
});
