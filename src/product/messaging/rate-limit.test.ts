/** The rate limit of messaging (specification: Limits). */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import {
  fromTemplate,
  messagingWorld,
  newPhone,
  refusedForNow,
  text,
} from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { passedCte, purgeRates } from './store.ts';

const { app, partner, workshopId, post, send, customer } = await messagingWorld();
const { db, clock } = app.context;

beforeEach(() => db.query('DELETE FROM message_rate'));

/** Sets the times of a person's accepted requests, in milliseconds from now. */
async function setStamps(workshop: string, person: string, offsetsMs: readonly number[]): Promise<void> {
  await db.query(
    `INSERT INTO message_rate AS r (workshop_id, person, passed)
     SELECT $1, $2, ARRAY(SELECT clock_timestamp() + make_interval(secs => ms / 1000.0) FROM unnest($3::float8[]) AS ms)
     ON CONFLICT (workshop_id, person) DO UPDATE SET passed = excluded.passed`,
    [workshop, person, offsetsMs],
  );
}

/** Fills a person's window for two seconds: times up to a second in the future count. */
const full = [900, 900, 900, 900, 900];

/** Decides one request: how much of the quota is used after it, or null when it is throttled. */
async function decide(workshop: string, person: string): Promise<number | null> {
  const [row] = await db.query<{ used: number }>(
    `WITH source AS (SELECT $1::uuid AS workshop_id, $2::text AS rated_as), ${passedCte('source')} SELECT used FROM passed`,
    [workshop, person],
  );
  return row?.used ?? null;
}

async function stampsOf(workshop: string, person: string): Promise<number[]> {
  const rows = await db.query<{ at: string }>(
    `SELECT (extract(epoch FROM at) * 1000000)::bigint::text AS at FROM message_rate, unnest(passed) AS at
     WHERE workshop_id = $1 AND person = $2`,
    [workshop, person],
  );
  return rows.map(({ at }) => Number(at));
}

test('always: five requests in a second pass, each with its RateLimit headers; the sixth is 429 (specification: Limits 3)', async () => {
  const phone = newPhone();
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await post({ phone });
    assert.equal(status, 200);
    assert.equal(headers.get('ratelimit'), `"messages";r=${left};t=1`);
    assert.equal(headers.get('ratelimit-policy'), '"messages";q=5;w=1');
    assert.equal(headers.get('retry-after'), null);
  }
  const { status, headers, body } = await post({ phone });
  assert.equal(status, 429);
  assert.ok(!('errorCode' in body));
  assert.equal(headers.get('retry-after'), '1');
  assert.equal(app.sms.to(phone).length, 5);
});

test('the window is free again one second after the first of the five', async () => {
  const phone = newPhone();
  await setStamps(workshopId, phone, [-1_010, -500, -400, -300, -200]);
  assert.equal((await post({ phone })).status, 200);
  await setStamps(workshopId, phone, [-100, 300, 500, 700, 900]);
  assert.equal((await post({ phone })).status, 429);
});

test('throttled requests do not count (specification: Limits 2)', async () => {
  const phone = newPhone();
  await setStamps(workshopId, phone, full);
  const before = await stampsOf(workshopId, phone);
  for (let i = 0; i < 5; i++) assert.equal((await post({ phone })).status, 429);
  assert.equal((await post({ phone, ...fromTemplate(newId()) })).status, 400);
  assert.deepEqual(await stampsOf(workshopId, phone), before);
});

test('always: replays count, and so do sends that fail (specification: Limits 2)', async () => {
  const phone = newPhone();
  app.sms.next(refusedForNow);
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await post({ phone, referenceId: 'R' })).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  assert.equal(app.sms.to(phone).length, 2);
});

test('customerId and phone of one customer share a window, over all partners', async () => {
  const other = await signedInPartner(app, 'Another Partner');
  await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);
  const { id, phone } = await customer();
  await send({ customerId: id });
  await send({ phone });
  await send({ phone: `0${phone.slice(3)}` });
  await send({ customerId: id }, other);
  await send({ phone }, other);
  assert.equal((await post({ customerId: id })).status, 429);
  assert.equal((await post({ phone }, other)).status, 429);
});

test('a phone without a customer shares the window of the customer that is created for it', async () => {
  const phone = newPhone();
  await Promise.all(Array.from({ length: 4 }, () => send({ phone })));
  const [made] = await db.query<{ id: string }>('SELECT id FROM customer WHERE phone = $1', [phone]);
  const { headers } = await post({ customerId: made?.id });
  assert.equal(headers.get('ratelimit'), '"messages";r=0;t=1');
  assert.equal((await post({ customerId: made?.id })).status, 429);
});

test('other customers, and the same phone at another workshop, have windows of their own', async () => {
  const { phone } = await customer();
  await setStamps(workshopId, phone, full);
  assert.equal((await post({ phone })).status, 429);
  assert.equal((await post({ customerId: (await customer()).id })).status, 200);
  const elsewhere = await linkedWorkshop(app, [partner]);
  const path = `/workshops/${elsewhere}/messages`;
  assert.equal((await partner.call('POST', path, { phone, ...text('Hi') })).status, 200);
});

test('the decision, for any stored times: a request passes when fewer than five are within the last second, and only those are kept', async () => {
  const person = newPhone();
  // Not at the edges, because time passes between setting the times and the decision.
  const offset = fc.oneof(
    fc.integer({ min: -3_000, max: -1_010 }),
    fc.integer({ min: -500, max: 1_000 }),
    fc.integer({ min: 1_500, max: 3_600_000 }),
  );
  const stamps = fc.array(offset, { minLength: 1, maxLength: 5 }).map((all) => all.sort((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(stamps, async (offsets) => {
      await setStamps(workshopId, person, offsets);
      const before = await stampsOf(workshopId, person);
      const counted = before.filter((_, index) => Math.abs(offsets[index] ?? 0) <= 1_000);
      const used = await decide(workshopId, person);
      const after = await stampsOf(workshopId, person);
      if (counted.length === 5) {
        assert.equal(used, null);
        assert.deepEqual(after, before);
        return;
      }
      assert.equal(used, counted.length + 1);
      assert.deepEqual(after.slice(0, -1), counted);
      assert.ok(Number(after.at(-1)) >= Math.max(...counted, 0));
    }),
    { numRuns: 100 },
  );
});

test('the clock steps back a little: stored times still rise, and the limit still holds', async () => {
  const person = newPhone();
  await setStamps(workshopId, person, [600, 700, 800]);
  assert.deepEqual([await decide(workshopId, person), await decide(workshopId, person)], [4, 5]);
  const stamps = await stampsOf(workshopId, person);
  assert.deepEqual(
    stamps,
    stamps.toSorted((a, b) => a - b),
  );
  assert.equal(await decide(workshopId, person), null);
});

test('the clock steps back by an hour: requests are not throttled until the clock has caught up', async () => {
  const person = newPhone();
  const hour = 3_600_000;
  await setStamps(workshopId, person, [hour, hour, hour, hour, hour]);
  for (const used of [1, 2, 3, 4, 5, null]) assert.equal(await decide(workshopId, person), used);
});

test('expired windows are purged; the others stay', async () => {
  const hour = 3_600_000;
  await setStamps(workshopId, 'over', [-70_000, -61_000]);
  await setStamps(workshopId, 'present', [-70_000, -30_000]);
  await setStamps(workshopId, 'of another time', [hour]);
  await purgeRates(db);
  assert.deepEqual(await db.query('SELECT person FROM message_rate'), [{ person: 'present' }]);
});
