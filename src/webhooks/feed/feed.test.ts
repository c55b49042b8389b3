/** GET /events: what webhooks deliver, as a feed (areas, section 11). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepFeed } from '#feed/keep.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { settledFeed } from '../../../test/fixtures/settled-feed.ts';
import { startReceiver, webhookWorld } from '../../../test/fixtures/webhooks.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
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

test('the bodies of the deliveries, oldest first, also without an endpoint; the cursor goes on', async () => {
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

test('by action, since a time, and of nobody else', async () => {
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

test('a database that was restored into another server: earlier cursors start over, and miss nothing', async () => {
  const { events, cursor } = await follow();
  await db.query(`UPDATE partner_event SET changed_in = '9000000000'::xid8`);
  await db.query(`UPDATE feed_epoch SET system_identifier = 'another'`);
  await keepFeed([rewritePartnerEvents])(app.context);
  const again = await follow('', { from: cursor });
  assert.deepEqual(ids(again.events).toSorted(), ids(events).toSorted());
});
