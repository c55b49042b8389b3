import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setLink } from '#product/workshops/link.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop, type SignedInPartner, signedInPartner } from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db, clock } = app.context;

function list(partner: SignedInPartner, query = ''): Promise<Answer> {
  return partner.call('GET', `/workshops${query}`);
}

function idsOf({ body }: Answer): string[] {
  return body.workshops.map(({ id }: { id: string }) => id);
}

test('GET /workshops lists id, name, slug, country, time zone, phone and flags of linked workshops (specification: Partners and workshops 9)', async () => {
  const partner = await signedInPartner(app);
  const id = await linkedWorkshop(app, [partner], { name: 'Harbour Motors', slug: 'harbour' });
  for (const path of ['/workshops', '/v1/workshops']) {
    const answer = await partner.call('GET', path);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      success: true,
      workshops: [
        {
          id,
          name: 'Harbour Motors',
          slug: 'harbour',
          country: 'AU',
          timezone: 'Australia/Melbourne',
          phone: '+61355501234',
          partnerIntegrationEnabled: true,
          inboxMessagingEnabled: true,
          enforceAvailability: false,
        },
      ],
      nextCursor: null,
    });
  }
});

test('a partner without links gets an empty list', async () => {
  const answer = await list(await signedInPartner(app));
  assert.deepEqual(answer.body, { success: true, workshops: [], nextCursor: null });
});

test("a partner never sees another's workshops; a shared one is seen by both", async () => {
  const [one, two] = [await signedInPartner(app), await signedInPartner(app)];
  const ofOne = await linkedWorkshop(app, [one]);
  const ofTwo = await linkedWorkshop(app, [two]);
  const shared = await linkedWorkshop(app, [one, two]);
  assert.deepEqual(idsOf(await list(one)), [ofOne, shared]);
  assert.deepEqual(idsOf(await list(two)), [ofTwo, shared]);
});

test('flags follow the operator’s settings: a link that is switched off stays in the list with its flag', async () => {
  const [one, two] = [await signedInPartner(app), await signedInPartner(app)];
  const workshopId = await linkedWorkshop(app, [one, two]);
  await setLink({ db, clock }, { partnerId: one.partnerId, workshopId, active: false }, actors.operator);
  await setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'off' }, actors.operator);
  const [ofOne] = (await list(one)).body.workshops;
  assert.equal(ofOne.partnerIntegrationEnabled, false);
  assert.equal(ofOne.inboxMessagingEnabled, false);
  const [ofTwo] = (await list(two)).body.workshops;
  assert.equal(ofTwo.partnerIntegrationEnabled, true);
});

test('limit and cursor return all of them once, in a stable order (specification: Lists and feeds 1)', async () => {
  const partner = await signedInPartner(app);
  const all: string[] = [];
  for (let n = 0; n < 7; n++) all.push(await linkedWorkshop(app, [partner]));
  await linkedWorkshop(app, [await signedInPartner(app)]);

  for (const limit of [1, 3, 7]) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? `?limit=${limit}` : `?limit=${limit}&cursor=${cursor}`;
      const page: Answer = await list(partner, query);
      assert.equal(page.status, 200);
      assert.ok(idsOf(page).length <= limit);
      seen.push(...idsOf(page));
      cursor = page.body.nextCursor;
    }
    assert.deepEqual(seen, all);
  }
  // A full last page has no next one.
  assert.equal((await list(partner, '?limit=7')).body.nextCursor, null);
});

test('a limit of 50 by default and 200 at most (specification: Lists and feeds 1)', async () => {
  const partner = await signedInPartner(app);
  await linkedWorkshop(app, [partner]);
  await db.query(
    `INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
     SELECT gen_random_uuid(), 'W', 'w-' || n, 'AU', 'Australia/Sydney', '+61255501234', 'w@w.example', $1, $1
       FROM generate_series(1, 59) n`,
    [clock.now()],
  );
  await db.query(
    `INSERT INTO link (partner_id, workshop_id, created_at) SELECT $1, id, $2 FROM workshop WHERE slug LIKE 'w-%'`,
    [partner.partnerId, clock.now()],
  );
  const first = await list(partner);
  assert.equal(first.body.workshops.length, 50);
  const second = await list(partner, `?cursor=${first.body.nextCursor}`);
  assert.equal(second.body.workshops.length, 10);
  assert.equal(second.body.nextCursor, null);
  assert.equal((await list(partner, '?limit=200')).body.workshops.length, 60);
});

test('400 000001: a limit that is not a whole number from 1 to 200, and a cursor that the list did not return', async () => {
  const partner = await signedInPartner(app);
  for (const limit of ['0', '-1', '201', '1.5', 'ten', '1e9', '%00', '1&limit=2']) {
    const answer = await list(partner, `?limit=${limit}`);
    assert.equal(answer.status, 400, limit);
    assert.equal(answer.body.errorCode, '000001');
    assert.equal(answer.body.errors[0].field, 'limit');
  }
  for (const cursor of ['x', '%00', 'AAAA', "'", '..%2F', 'x'.repeat(201), 'a&cursor=b']) {
    const answer = await list(partner, `?cursor=${cursor}`);
    assert.equal(answer.status, 400, cursor);
    assert.equal(answer.body.errorCode, '000001');
    assert.equal(answer.body.errors[0].field, 'cursor');
  }
});

test('unknown query parameters are ignored', async () => {
  const partner = await signedInPartner(app);
  assert.equal((await list(partner, '?page=2&__proto__=x&constructor=y')).status, 200);
});
