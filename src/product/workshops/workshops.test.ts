import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { createPartner } from '#product/partners/create.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { createWorkshop } from './create.ts';
import { setLink } from './link.ts';
import { setWorkshop } from './set.ts';
import type { SettingsInput } from './settings.ts';
import { findWorkshop, listWorkshops } from './store.ts';

const { db } = await createTestDatabase();
const clock = testClock();

const input: SettingsInput = {
  name: 'Carlton Motors',
  country: 'AU',
  timezone: 'Australia/Melbourne',
  phone: '03 5550 0101',
  email: 'desk@carlton.example',
};

const isTakenSlug = (error: Error) => error instanceof InvalidInput && error.errors[0]?.field === 'slug';

test('workshops with the same name get numbered slugs, even when created concurrently', async () => {
  const made = await Promise.all(
    [1, 2, 3, 4].map(() => createWorkshop({ db, clock }, { ...input, name: 'Café Racer' }, actors.operator)),
  );
  assert.deepEqual(made.map(({ slug }) => slug).toSorted(), [
    'cafe-racer',
    'cafe-racer-2',
    'cafe-racer-3',
    'cafe-racer-4',
  ]);
});

test('a requested slug is used or refused, never changed', async () => {
  const { slug } = await createWorkshop({ db, clock }, { ...input, slug: 'wanted' }, actors.operator);
  assert.equal(slug, 'wanted');
  await assert.rejects(
    createWorkshop({ db, clock }, { ...input, slug: 'wanted' }, actors.operator),
    isTakenSlug,
  );
});

test('set changes only the named settings', async () => {
  const { workshopId } = await createWorkshop(
    { db, clock },
    { ...input, slug: 'to-change' },
    actors.operator,
  );
  const before = await findWorkshop(db, workshopId);
  clock.advance({ seconds: 5 });
  const after = await setWorkshop(
    { db, clock },
    workshopId,
    {
      notifyEmails: ['a@b.example'],
      inboxMessaging: 'off',
    },
    actors.operator,
  );
  const wanted = {
    ...before,
    notifyEmails: ['a@b.example'],
    inboxMessagingEnabled: false,
    updatedAt: clock.now(),
  };
  assert.deepEqual(after, wanted);
  assert.deepEqual(await findWorkshop(db, workshopId), wanted);
});

test('two concurrent changes are both kept', async () => {
  const { workshopId } = await createWorkshop(
    { db, clock },
    { ...input, slug: 'contended' },
    actors.operator,
  );
  await Promise.all([
    setWorkshop({ db, clock }, workshopId, { name: 'Renamed' }, actors.operator),
    setWorkshop({ db, clock }, workshopId, { smsSender: 'Renamed' }, actors.operator),
    setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'off' }, actors.operator),
  ]);
  const { name, smsSender, inboxMessagingEnabled } = (await findWorkshop(db, workshopId)) ?? {};
  assert.deepEqual(
    { name, smsSender, inboxMessagingEnabled },
    { name: 'Renamed', smsSender: 'Renamed', inboxMessagingEnabled: false },
  );
});

test("another workshop's slug is refused, and nothing of that change is kept", async () => {
  await createWorkshop({ db, clock }, { ...input, slug: 'first' }, actors.operator);
  const { workshopId } = await createWorkshop({ db, clock }, { ...input, slug: 'second' }, actors.operator);
  await assert.rejects(
    setWorkshop({ db, clock }, workshopId, { slug: 'first', name: 'Changed' }, actors.operator),
    isTakenSlug,
  );
  assert.equal((await findWorkshop(db, workshopId))?.name, input.name);
});

test('an unknown workshop is named', async () => {
  for (const id of [newId(), 'nowhere'])
    await assert.rejects(setWorkshop({ db, clock }, id, { name: 'x' }, actors.operator), /no workshop/);
});

test('a link is created, switched off and on again, and its row stays', async () => {
  const { partnerId } = await createPartner({ db, clock }, 'Linked', actors.operator);
  const { workshopId } = await createWorkshop({ db, clock }, { ...input, slug: 'linked' }, actors.operator);
  const listed = async () =>
    (await listWorkshops(db, { partnerId: null, after: null, limit: 100 })).find(
      (row) => row.workshopId === workshopId,
    )?.partnerIds;
  const rows = () =>
    db.query<{ active: boolean }>('SELECT active FROM link WHERE partner_id = $1', [partnerId]);

  const off = { partnerId, workshopId, active: false };
  await assert.rejects(setLink({ db, clock }, off, actors.operator), /is not linked/);
  assert.deepEqual(await rows(), []);
  for (const active of [true, true, false, false, true]) {
    assert.deepEqual(await setLink({ db, clock }, { ...off, active }, actors.operator), { ...off, active });
    assert.deepEqual(await rows(), [{ active }]);
    assert.deepEqual(await listed(), active ? [partnerId] : []);
  }
  await assert.rejects(setLink({ db, clock }, { ...off, partnerId: newId() }, actors.operator), /no partner/);
  await assert.rejects(
    setLink({ db, clock }, { ...off, workshopId: newId() }, actors.operator),
    /no workshop/,
  );
});

test('a time zone must be known to Temporal and PostgreSQL, in IANA’s notation; others are refused with the nearest one, and nothing changes (specification: Times 4)', async () => {
  const { workshopId } = await createWorkshop({ db, clock }, { ...input, name: 'Zoned' }, actors.operator);
  const refusals = [
    ['AET', /"AET" is not .*Australia\/Sydney/],
    ['IST', /"IST" is not .*Asia\/Kolkata/],
    ['CET', /"CET" is not .*Europe\/Brussels/],
    ['australia/perth', /is not .*Australia\/Perth/],
  ] as const;
  for (const [timezone, message] of refusals) {
    const isRefused = (error: Error) =>
      error instanceof InvalidInput &&
      error.errors[0]?.field === 'timezone' &&
      message.test(error.errors[0].message);
    await assert.rejects(
      createWorkshop({ db, clock }, { ...input, timezone }, actors.operator),
      isRefused,
      timezone,
    );
    await assert.rejects(
      setWorkshop({ db, clock }, workshopId, { timezone }, actors.operator),
      isRefused,
      timezone,
    );
  }
  // A server with an older or shorter list.
  const lacking = (queryable: Queryable): Queryable => ({
    query: async (text, values) => (text.includes('pg_timezone_names') ? [] : queryable.query(text, values)),
  });
  const old = {
    ...db,
    ...lacking(db),
    transaction: ((work) => db.transaction((tx) => work(lacking(tx)))) as Database['transaction'],
  };
  const isUnknown = (error: Error) =>
    error instanceof InvalidInput &&
    /PostgreSQL's server: install newer/.test(error.errors[0]?.message ?? '');
  const timezone = 'Australia/Perth';
  await assert.rejects(
    createWorkshop({ db: old, clock }, { ...input, timezone }, actors.operator),
    isUnknown,
  );
  await assert.rejects(setWorkshop({ db: old, clock }, workshopId, { timezone }, actors.operator), isUnknown);
  assert.equal((await findWorkshop(db, workshopId))?.timezone, 'Australia/Melbourne');
  // An invalid stored zone does not fail a change of another setting.
  await db.query(`UPDATE workshop SET timezone = 'AET' WHERE id = $1`, [workshopId]);
  assert.equal(
    (await setWorkshop({ db, clock }, workshopId, { name: 'Renamed' }, actors.operator)).timezone,
    'AET',
  );
  assert.equal(
    (await setWorkshop({ db, clock }, workshopId, { timezone }, actors.operator)).timezone,
    timezone,
  );
});
