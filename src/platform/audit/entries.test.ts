/** Entries of the trail: what each keeps, pages of them, and their end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { insertWorld } from '../../../test/fixtures/booking-events.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { purgeTrail } from './purge.ts';
import { listTrail, type TrailEntry, trailStatement } from './read/store.ts';
import { recordEntry, recordEntryOnce } from './record.ts';
import { redact } from './redact.ts';
import { actorInWords } from './words.ts';

const { db } = await createTestDatabase();
const clock = { ...testClock(), machineNow: () => new Date() };
const { workshopId } = await insertWorld(db);
const personId = newId();
const person = actors.person(personId, 'asked-1');

const trailOf = (subjectId: string, more: Partial<Parameters<typeof listTrail>[1]> = {}) =>
  listTrail(db, { workshopId, subjectId, before: null, limit: 50, ...more });
const kept = (id: string) => db.query('SELECT FROM audit_entry WHERE subject_id = $1', [id]);

test('an entry of its own: fields that differ, no secrets, in the commit of the change', async () => {
  const subject = { kind: 'workshop', id: newId() };
  const entry = { actor: actors.operator, workshopId, subject, action: 'workshop.changed', at: clock.now() };
  const same = { name: 'W', notifyPhones: ['+61491570006'] };
  const rolledBack = db.transaction(async (tx) => {
    await recordEntry(tx, { ...entry, after: { name: 'X' } });
    throw new Error('undone');
  });
  await assert.rejects(rolledBack, /undone/);
  await recordEntry(db, { ...entry, before: same, after: { ...same } });
  assert.deepEqual(await trailOf(subject.id), []);
  await recordEntry(db, {
    ...{ ...entry, before: { ...same, colour: null, appSecret: 'ptl_secret_one' } },
    after: {
      ...{ ...same, name: 'X', appSecret: 'ptl_secret_two', calendarToken: 'tok_1', secrets: ['whsec_1'] },
      url: 'https://user:pass@hooks.example/in?token=tok_2#tok_3',
    },
  });
  const [told] = await trailOf(subject.id);
  assert.deepEqual(
    [told?.before, told?.after],
    [
      { name: 'W', appSecret: '[redacted]', calendarToken: null, secrets: null, url: null },
      {
        ...{ name: 'X', appSecret: '[redacted]', calendarToken: '[redacted]', secrets: '[redacted]' },
        url: 'https://hooks.example/in?…',
      },
    ],
  );
  assert.doesNotMatch(JSON.stringify(told), /ptl_secret|tok_|whsec|pass@/);
});

test('an entry that is made once: one that is made at the same time waits for it, and is not made', async () => {
  const subject = { kind: 'workshop', id: newId() };
  const entry = { actor: person, workshopId, subject, action: 'workshop.printed', at: clock.now() };
  const once = (after: object) => recordEntryOnce(db, { ...entry, after: { ...after } }, 60);
  const waits = async () =>
    (await db.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length > 0;
  let isDone = false;
  let second: Promise<void> | undefined;
  await recordEntryOnce(
    {
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          const made = await work(tx);
          second = once({ date: '2030-03-04' }).then(() => {
            isDone = true;
          });
          while (!isDone && !(await waits()));
          return made;
        }),
    },
    { ...entry, after: { date: '2030-03-04' } },
    60,
  );
  await second;
  assert.equal((await kept(subject.id)).length, 1);
  // Something else is another entry, and so is the same by somebody else.
  await once({ date: '2030-03-05' });
  await recordEntryOnce(
    db,
    { ...entry, actor: actors.person(newId(), 'asked-2'), after: { date: '2030-03-04' } },
    60,
  );
  assert.equal((await kept(subject.id)).length, 3);
});

test('names of secrets, wherever they stand; other names stay', () => {
  for (const name of [
    'secret',
    'appSecret',
    'secret_hash',
    'accessToken',
    'apiKey',
    'PASSWORD',
    'manageCode',
    'pin',
  ])
    assert.deepEqual(redact({ deep: [{ [name]: 'x' }] }), { deep: [{ [name]: '[redacted]' }] }, name);
  for (const name of ['postcode', 'secretary', 'appKey', 'carRego', 'pinned', 'keptDays'])
    assert.deepEqual(redact({ [name]: 'x' }), { [name]: 'x' }, name);
  assert.deepEqual(redact({ token: null }), { token: null });
});

test('who it was, in words', () => {
  const names = { person: 'Ana', partner: 'Fleet' };
  assert.deepEqual(
    [person, actors.partner(newId(), 'ptl_key_x', 'r'), actors.operator, actors.schedule].map((actor) =>
      actorInWords(
        actor.kind === 'person' ? `person ${personId}` : actor.kind === 'partner' ? 'ptl_key_x' : actor.kind,
        names,
      ),
    ),
    ['Ana', 'Partner Fleet', 'Command line', 'Schedule'],
  );
  assert.equal(actorInWords('ptl_key_x', { partner: 'Demo Partner' }), 'Demo Partner');
  assert.equal(actorInWords('customer link', names), 'Customer by link');
  assert.equal(actorInWords(`person ${personId}`, {}), 'Someone who was removed');
});

test('pages by keyset, of a workshop, a subject, a person: each by an index, also among many', async () => {
  const mine = actors.person(newId(), 'r');
  const [one, two] = [newId(), newId()];
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) {
    const subject = { kind: 'customer', id: n % 2 ? one : two };
    await recordEntry(db, {
      ...{ actor: mine, workshopId, subject, action: 'customer.tagged' },
      after: { n },
      at: clock.now(),
    });
  }
  let before: string | null = null;
  for (;;) {
    const page: TrailEntry[] = await listTrail(db, {
      workshopId: null,
      personId: mine.personId,
      before,
      limit: 3,
    });
    ids.push(...page.map(({ id }) => id));
    if (page.length === 0) break;
    before = page.at(-1)?.id ?? null;
  }
  assert.deepEqual([ids.length, ids], [7, ids.toSorted().toReversed()]);
  assert.equal((await trailOf(one)).length, 3);
  assert.deepEqual(await trailOf(one, { workshopId: newId() }), []);

  await db.query(
    `INSERT INTO audit_entry (id, occurred_at, workshop_id, actor, subject_kind, subject_id, action)
     SELECT overlay(gen_random_uuid()::text PLACING '01' FROM 1 FOR 2)::uuid, now(), $1, 'person ' || gen_random_uuid(), 'booking',
            gen_random_uuid(), 'x' FROM generate_series(1, 20000)`,
    [workshopId],
  );
  await db.query('ANALYZE audit_entry');
  for (const [index, more] of [
    ['audit_entry_workshop', { workshopId }],
    ['audit_entry_subject', { workshopId, subjectId: one }],
    ['audit_entry_person', { workshopId: null, personId: mine.personId }],
    ['audit_entry_pkey', { workshopId: null }],
  ] as const) {
    const { text, values } = trailStatement({ ...more, before: null, limit: 50 });
    const plan = await db.query<{ queryPlan: string }>(`EXPLAIN ${text}`, values);
    assert.match(JSON.stringify(plan), new RegExp(`${index}\\b`));
    assert.doesNotMatch(JSON.stringify(plan), /Seq Scan on audit_entry/);
  }
});

test('entries go after the days of the setting, by the machine’s clock (specification: Audit trail 4)', async () => {
  const old = newId();
  const [days] = await db.query<{ id: string }>('SELECT first_id($1::timestamptz) AS id', [
    new Date(clock.machineNow().getTime() - 401 * 86_400_000),
  ]);
  await db.query(
    `INSERT INTO audit_entry (id, occurred_at, actor, subject_kind, subject_id, action) VALUES ($1, now(), 'operator', 'x', $2, 'x')`,
    [days?.id, old],
  );
  const fresh = { kind: 'customer', id: newId() };
  await recordEntry(db, { actor: person, workshopId, subject: fresh, action: 'x', at: clock.now() });
  const config = readConfig({});
  await purgeTrail({ db, clock, config: { ...config, auditKeptDays: 402 } });
  assert.equal((await kept(old)).length, 1);
  await purgeTrail({ db, clock, config });
  assert.deepEqual([(await kept(old)).length, (await kept(fresh.id)).length], [0, 1]);
});
