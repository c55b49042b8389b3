/** GET /events: the events that webhooks deliver, as a feed (specification: Webhooks 8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSealing } from '#base/sealing.ts';
import { keepFeed } from '#platform/feed/keep.ts';
import { cursorAt } from '#platform/http/paging.ts';
import { assertProblem } from '../../../../test/fixtures/booking-api.ts';
import { settledFeed } from '../../../../test/fixtures/settled-feed.ts';
import { startReceiver, webhookWorld } from '../../../../test/fixtures/webhooks.ts';
import { linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { listOwnEvents } from './list.ts';
import { rewritePartnerEvents } from './store.ts';

const { app, partner, workshopId, book, register } = await webhookWorld();
const { db } = app.context;
const other = await signedInPartner(app, 'Another Partner');

const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id);
async function follow(query = '', { by = partner, from = '' } = {}) {
  await settledFeed(db, 'partner_event');
  const events = [];
  for (let cursor = from; ; ) {
    const { status, body } = await by.call('GET', `/events?limit=2${query}${cursor}`);
    assert.equal(status, 200, JSON.stringify(body));
    events.push(...body.events);
    cursor = `&cursor=${body.nextCursor}`;
    if (body.events.length === 0) return { events, cursor };
  }
}

test('the bodies of the deliveries, oldest first, also without an endpoint; the cursor continues', async () => {
  const first = await follow();
  assert.deepEqual(first.events, []);
  const made = await book();
  await partner.call('POST', `/bookings/${made.id}/confirmed`);
  await app.drain();
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url);
  await partner.call('POST', `/bookings/${made.id}/cancelled`);
  await app.drain();
  const { events, cursor } = await follow();
  assert.deepEqual(
    events.map(({ action, booking }) => [action, booking.version]),
    [
      ['bookingCreate', 1],
      ['bookingConfirmed', 2],
      ['bookingCancelled', 3],
    ],
  );
  const [delivered] = receiver.received;
  const { timestamp: _, ...same } = delivered?.body ?? {};
  const { timestamp, ...last } = events[2];
  assert.deepEqual(last, same);
  assert.equal(timestamp, Math.floor(Date.parse(last.booking.updatedAt) / 1_000));
  assert.deepEqual((await follow('', { from: first.cursor })).events, events);
  assert.deepEqual((await follow('', { from: cursor })).events, []);
  await partner.call('DELETE', `/webhooks/${webhook.id}`);
});

test('filtered by action and time, and only of this partner', async () => {
  const shared = await linkedWorkshop(app, [other]);
  assert.ok(shared !== workshopId);
  assert.deepEqual((await follow('', { by: other })).events, []);
  const confirmed = await follow('&action=bookingConfirmed');
  assert.deepEqual(
    confirmed.events.map(({ action }) => action),
    ['bookingConfirmed'],
  );
  app.advance(600);
  const since = app.clock.now().toISOString();
  await book();
  await app.drain();
  const recent = await follow(`&since=${since}`);
  assert.deepEqual(
    recent.events.map(({ action }) => action),
    ['bookingCreate'],
  );
  for (const [query, field] of [
    ...[
      ['action=test', 'action'],
      ['since=today', 'since'],
      ['cursor=abc', 'cursor'],
      ['limit=0', 'limit'],
    ],
    [`action=bookingCreate${confirmed.cursor}`, 'cursor'],
  ] as const) {
    assertProblem(await partner.call('GET', `/events?${query}`), 400, '000001', [field]);
  }
});

test('after a restore into another server earlier cursors start over, and miss nothing', async () => {
  const { events, cursor } = await follow();
  await db.query(`UPDATE partner_event SET changed_in = '9000000000'::xid8`);
  await db.query(`UPDATE feed_epoch SET system_identifier = 'another'`);
  await keepFeed([rewritePartnerEvents])(app.context);
  const again = await follow('', { from: cursor });
  assert.deepEqual(ids(again.events).toSorted(), ids(events).toSorted());
});

test('a cursor reveals nothing of the installation; when its key is gone, the feed starts over', async () => {
  const { events, cursor } = await follow();
  const [last] = await db.query<{ changedIn: string }>(
    'SELECT max(changed_in)::text AS changed_in FROM partner_event WHERE partner_id = $1',
    [partner.partnerId],
  );
  const text = decodeURIComponent(cursor.slice('&cursor='.length));
  assert.ok(text.length <= 200, `${text.length} characters`);
  const shown = Buffer.from(text, 'base64url').toString('latin1');
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(last?.changedIn ?? 0));
  const [sealed = ''] = shown.split(' ');
  for (const each of [shown, Buffer.from(sealed, 'base64url').toString('latin1')]) {
    assert.ok(!each.includes(last?.changedIn ?? ''));
    assert.ok(!each.includes(number.subarray(4).toString('latin1')));
  }
  const { body: unchanged } = await partner.call('GET', `/events?${cursor}`);
  assert.equal(unchanged.nextCursor, text, 'where nothing is new it stays the same');
  const anotherKey = { ...app.context, sealing: createSealing([Buffer.alloc(32, 7)]) };
  const { events: again } = await listOwnEvents(anotherKey, partner.partnerId, { cursor: text, limit: 200 });
  assert.deepEqual(ids(again), ids(events));
});

test('unsealed cursors of the previous release continue, and are issued while its processes may run', async () => {
  const { events } = await follow();
  const [place] = await db.query<{ epoch: string; changedIn: string; id: string }>(
    `SELECT number::text AS epoch, changed_in::text AS changed_in, id FROM feed_epoch, partner_event WHERE id = $1`,
    [events[0]?.id],
  );
  const { epoch = '', changedIn = '', id = '' } = place ?? {};
  const listed = { list: 'events', filters: {} };
  const from = `&cursor=${cursorAt([epoch, changedIn, id], listed)}`;
  assert.deepEqual(ids((await follow('', { from })).events), ids(events.slice(1)));
  await db.query(`UPDATE feed_epoch SET plain_cursors_until = clock_timestamp() + interval '1 hour'`);
  const plain = await follow();
  assert.match(
    Buffer.from(plain.cursor.slice('&cursor='.length), 'base64url').toString('latin1'),
    /^\d+ \d+ [\da-f-]{36} [\w-]{12}$/,
  );
  await db.query(`UPDATE feed_epoch SET plain_cursors_until = clock_timestamp()`);
  await book();
  await app.drain();
  assert.equal((await follow('', { from: plain.cursor })).events.length, 1);
});
