/** The transitions of a quote: each permitted one, and each forbidden one (specification: Quotes 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { quoteEvents, quoteWorld } from '../../../test/fixtures/quote-api.ts';
import { bookingBody } from '../../../test/harness/world.ts';
import { expireQuotes, findExpired } from './change/store.ts';
import { declineQuote } from './decline.ts';
import { expiredQuotes, sweepQuotes } from './expire.ts';
import { priceQuote } from './price.ts';
import { isOver } from './rules.ts';
import type { Quote, QuoteStatus } from './schema.ts';
import { declineOwn } from './staff/decline.ts';

const publicUrl = 'https://quotes.example';
const world = await quoteWorld({ config: { publicUrl } });
const { app, ask, read } = world;
const { context } = app;
const { db } = context;
const dayMs = 24 * 60 * 60_000;

const price = (quoteId: string, lines = ['Brake pads:2:94.50'], validDays = '14', message?: string) =>
  priceQuote(context, { actor: actors.operator, quoteId, lines, validDays, message });
const kinds = async (id: string) =>
  (await quoteEvents(app, id)).map(({ kind, version }) => `${kind} ${version}`);

/** A quote brought into the status by the real operations; `accepted` is set in the table, with a booking of another quote. */
async function quoteIn(status: QuoteStatus): Promise<Quote> {
  const { id } = await ask();
  if (status !== 'requested') await price(id);
  if (status === 'declined') await declineOwn(context, id, actors.operator);
  if (status === 'expired') await db.query(`UPDATE quote SET status = 'expired' WHERE id = $1`, [id]);
  if (status === 'accepted') await acceptedInTable(id);
  return read(id);
}

async function acceptedInTable(id: string): Promise<void> {
  const { partner, workshopId } = world;

  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
  await db.query(`UPDATE quote SET status = 'accepted', booking_id = $2 WHERE id = $1`, [
    id,
    body.booking.id,
  ]);
}

test('priced: lines, total, message, validity and address are set, and the event contains them', async () => {
  const asked = await ask();
  const before = context.clock.now().getTime();
  const made = await price(asked.id, ['Brake pads:2:94.50', 'Labour:1.5:120'], '14', ' Both\nfront wheels. ');
  const quote = await read(asked.id);
  assert.deepEqual(made, quote);
  const validUntil = Date.parse(quote.validUntil ?? '');
  assert.ok(validUntil >= before + 14 * dayMs && validUntil <= context.clock.now().getTime() + 14 * dayMs);
  assert.deepEqual(quote, {
    ...asked,
    status: 'quoted',
    lines: [
      { title: 'Brake pads', quantity: 2, unitPrice: 94.5, total: 189 },
      { title: 'Labour', quantity: 1.5, unitPrice: 120, total: 180 },
    ],
    total: 369,
    message: 'Both\nfront wheels.',
    validUntil: quote.validUntil,
    url: `${publicUrl}/q/${asked.code}`,
    updatedAt: quote.updatedAt,
  });
  assert.ok(quote.updatedAt > asked.updatedAt);
  const [, event] = await quoteEvents(app, quote.id);
  assert.deepEqual([event?.kind, event?.version], ['quote.quoted', 2]);
  assert.deepEqual(event?.payload, { quote, notifyCustomer: true, notifyWorkshop: false });
});

test('priced again, lines are replaced, and an absent message is cleared', async () => {
  const { id } = await quoteIn('quoted');
  await price(id, ['Pads:1:10'], '7', 'Cheaper');
  const again = await price(id, ['Pads:1:0.10', 'Pads:1:0.20'], '1');
  assert.deepEqual([again.total, again.lines.length, again.message, again.status], [0.3, 2, null, 'quoted']);
  assert.deepEqual(await kinds(id), [
    'quote.requested 1',
    'quote.quoted 2',
    'quote.quoted 3',
    'quote.quoted 4',
  ]);
});

test('all bad values are named, and nothing changes', async () => {
  const quote = await ask();
  await assert.rejects(
    price(quote.id, ['Pads'], '0', 'x'.repeat(2_001)),
    (error: { errors?: { field: string }[] }) => {
      assert.deepEqual(
        error.errors?.map(({ field }) => field),
        ['line[0]', 'validDays', 'message'],
      );
      return true;
    },
  );
  for (const days of ['', '366', '1.5', 'x'])
    await assert.rejects(price(quote.id, ['x:1:1'], days), /validDays/);
  await assert.rejects(price(newId()), /no quote/);
  assert.deepEqual(await read(quote.id), quote);
});

test('each permitted transition happens, and each other one leaves the quote unchanged', async () => {
  const permitted: Readonly<Record<QuoteStatus, readonly string[]>> = {
    requested: ['price', 'workshop declines'],
    quoted: ['price', 'workshop declines', 'customer declines'],
    accepted: [],
    declined: ['workshop declines', 'customer declines'],
    expired: [],
  };
  const actions: Readonly<Record<string, (id: string) => Promise<boolean>>> = {
    price: (id) =>
      price(id).then(
        () => true,
        () => false,
      ),
    'workshop declines': (id) =>
      declineOwn(context, id, actors.operator).then(
        () => true,
        () => false,
      ),
    'customer declines': async (id) =>
      (await declineQuote(context, id, actors.customerByLink('r')))?.declined === true,
  };
  for (const [from, names] of Object.entries(permitted) as [QuoteStatus, string[]][]) {
    for (const [name, act] of Object.entries(actions)) {
      const before = await quoteIn(from);
      const events = await kinds(before.id);
      assert.equal(await act(before.id), names.includes(name), `${name} when ${from}`);
      const after = await read(before.id);
      const changes = names.includes(name) && from !== 'declined';
      assert.equal(after.status, changes ? (name === 'price' ? 'quoted' : 'declined') : from);
      assert.equal(
        (await kinds(before.id)).length,
        events.length + (changes ? 1 : 0),
        `${name} when ${from}`,
      );
      if (!changes) assert.deepEqual(after, before);
    }
  }
});

test('a decline by the customer notifies the workshop, one by the workshop notifies nobody (specification: Quotes 8)', async () => {
  for (const by of ['customer', 'workshop'] as const) {
    const { id } = await quoteIn('quoted');
    const actor = by === 'customer' ? actors.customerByLink('r') : actors.operator;
    await declineQuote(context, id, actor);
    const event = (await quoteEvents(app, id)).at(-1);
    assert.equal(event?.kind, 'quote.declined');
    assert.deepEqual(
      [event?.payload['notifyWorkshop'], event?.payload['notifyCustomer']],
      [by === 'customer', false],
    );
  }
});

test('a quote expires by the business clock, once, also with two concurrent sweeps (specification: Quotes 7)', async () => {
  const [short, long] = [await ask(), await ask()];
  await price(short.id, undefined, '1');
  await price(long.id, undefined, '2');
  await sweepQuotes(context);
  assert.deepEqual([(await read(short.id)).status, (await read(long.id)).status], ['quoted', 'quoted']);
  app.advance(24 * 60 * 60 + 1);
  // Even before the sweep has run, it can't be changed any more.
  await assert.rejects(price(short.id), /expired/);
  assert.equal((await declineQuote(context, short.id, actors.customerByLink('r')))?.declined, false);
  await Promise.all([sweepQuotes(context), sweepQuotes(context)]);
  assert.deepEqual([(await read(short.id)).status, (await read(long.id)).status], ['expired', 'quoted']);
  assert.deepEqual(await kinds(short.id), ['quote.requested 1', 'quote.quoted 2', 'quote.expired 3']);
  const event = (await quoteEvents(app, short.id)).at(-1);
  assert.deepEqual([event?.payload['notifyCustomer'], event?.payload['notifyWorkshop']], [false, false]);
});

test('a quote is expired at exactly the instant that it is valid until', async () => {
  const { id } = await ask();
  await price(id);
  const quote = await read(id);
  const at = new Date(quote.validUntil ?? '');
  const before = new Date(at.getTime() - 1);
  assert.deepEqual([isOver(quote, before), isOver(quote, at)], [false, true]);
  const found = (now: Date) => findExpired(db, expiredQuotes.job, now, 200);
  assert.deepEqual([(await found(before)).includes(id), (await found(at)).includes(id)], [false, true]);
  assert.deepEqual([await expireQuotes(db, before, [id]), await expireQuotes(db, at, [id])], [0, 1]);
});

test('two concurrent prices: both are written, one after the other', async () => {
  const { id } = await ask();
  await Promise.all([price(id, ['A:1:1']), price(id, ['B:1:2']), price(id, ['C:1:3'])]);
  assert.deepEqual(await kinds(id), [
    'quote.requested 1',
    'quote.quoted 2',
    'quote.quoted 3',
    'quote.quoted 4',
  ]);
  const { lines, total } = await read(id);
  assert.equal(lines[0]?.total, total);
});

test('an erased customer’s quote keeps its lines and no personal data, and cannot be priced', async () => {
  const { id, customerId } = await ask({ customerPhone: '0491570310', notes: 'Mine' });
  await price(id, undefined, undefined, 'Dear Sam');
  const { version } = (await quoteEvents(app, id)).at(-1) ?? {};
  await eraseCustomer({ db, clock: context.clock }, customerId, actors.operator);
  const { customer, notes, message, total } = await read(id);
  assert.deepEqual(
    [customer.name, customer.phone, customer.email, notes, message, total],
    ['Erased', null, null, null, null, 189],
  );
  const [row] = await db.query<{ version: number }>('SELECT version FROM quote WHERE id = $1', [id]);
  assert.equal(row?.version, Number(version) + 1);
  await assert.rejects(price(id), /erased/);
});
