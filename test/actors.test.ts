/** Who made a change: long because it is one table of acts, and a kind of event that none of them records fails. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eventKinds } from '#platform/events/record.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { sweepQuotes } from '#product/quotes/expire.ts';
import { sendDueReminders } from '#product/reminders/schedule/send-due.ts';
import { actionNames } from '#product/webhooks/actions.ts';
import { runHere, succeed } from './command-line/run.ts';
import { inboundWorld } from './fixtures/inbound.ts';
import { pageVisits } from './fixtures/page-visits.ts';
import { pricedQuote } from './fixtures/quote-pages.ts';
import { keepSignedIn } from './fixtures/reminder-api.ts';
import { startReceiver } from './fixtures/webhooks.ts';

const visits = await pageVisits({ config: { webhooksAllowPrivate: true } });
const { app, db, partner, workshopId, shop, post, newPhone, booked, move } = visits;
const { context } = app;
const { answer } = inboundWorld(app);
await keepSignedIn(app);
// What was looked up of the token before is not cached any more.
app.pass(3);
await importWorkshop(
  { db, clock: context.clock },
  JSON.stringify({ workshopId, settings: { reminderMonths: 6 } }),
  actors.operator,
);
const receiver = await startReceiver();
await partner.call('POST', '/webhooks', { url: receiver.url, actions: actionNames });

let asked = 0;
/** An operation of the API that must succeed, with a request id of its own. */
async function call(method: string, path: string, body?: object) {
  const headers = { 'x-request-id': `asked-${++asked}` };
  const answered = await partner.call(method, path, body, { headers });
  assert.ok(answered.status < 300, `${method} ${path}: ${JSON.stringify(answered.body)}`);
  return answered.body;
}

const booking = async (changes: object = {}) =>
  (
    await call('POST', '/bookings', {
      ...{ workshopId, carRego: 'abc 123', bookingTime: shop.times[5], customerPhone: newPhone() },
      ...{ customerName: 'Sam Taylor', customerEmail: 'sam@customer.example', ...changes },
    })
  ).booking;
const status = async (name: string) => call('POST', `/bookings/${(await booking()).id}/${name}`, {});
const callLead = (changes: object = {}) =>
  call('POST', '/leads/calls', {
    ...{ workshopId, callerPhone: newPhone(), calledAt: app.clock.now().toISOString(), outcome: 'answered' },
    ...changes,
  });
const ask = async (changes: object = {}) =>
  (
    await call('POST', '/quotes', {
      ...{ workshopId, customerName: 'Sam Taylor', customerPhone: newPhone(), carRego: 'abc 123' },
      ...{ customerEmail: 'sam@customer.example', services: [{ title: 'Brake pads' }], ...changes },
    })
  ).quote;
const quoted = () => pricedQuote({ app, ask });
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
const remind = (changes: object = {}) =>
  call('POST', '/reminders/services', { workshopId, customerPhone: newPhone(), ...changes });
const text = (phone: string) =>
  call('POST', `/workshops/${workshopId}/messages`, { phone, channels: { sms: { message: 'Ready.' } } });
const pitlane = (...args: string[]) => succeed(args, { DATABASE_URL: app.databaseUrl }, runHere);
const customerOf = async (phone: string) => {
  const [row] = await db.query<{ id: string }>('SELECT id FROM customer WHERE phone = $1', [phone]);
  return row?.id ?? '';
};
const accepted = (phone: string) => app.sms.to(phone)[0]?.reference ?? '';
const report = (reference: string, more: object) =>
  recordReport({ db, clock: app.clock }, 'recorded', {
    reference,
    state: 'delivered',
    detail: null,
    ...more,
  });
const managed = async (id: string) => `/b/${await manageCode(db, id)}`;

const edges = {
  API: { actor: partner.appKey, requestId: /^asked-\d+$/ },
  page: { actor: 'customer link', requestId: /^[0-9a-f-]{36}$/ },
  SMS: { actor: 'customer sms', requestId: null },
  'command line': { actor: 'operator', requestId: null },
  schedule: { actor: 'schedule', requestId: null },
  gateway: { actor: 'gateway', requestId: null },
} as const;

interface Act {
  readonly edge: keyof typeof edges;
  readonly kinds: readonly string[];
  /** What it needs, by whatever edge; all that follows from it is done before the act. */
  readonly given?: () => Promise<string>;
  readonly act: (given: string) => Promise<unknown>;
}

const acts: Readonly<Record<string, Act>> = {
  'POST /bookings': { edge: 'API', kinds: ['booking.created'], act: () => booking() },
  'POST /bookings with the code of a reminder': {
    ...{ edge: 'API', kinds: ['booking.created', 'serviceReminder.booked'] },
    given: async () => (await remind({ sendAt: inDays(9) })).serviceReminder.code,
    act: (reminderCode) => booking({ reminderCode }),
  },
  'PUT /bookings/{id}': {
    ...{ edge: 'API', kinds: ['booking.updated'] },
    given: async () => (await booking()).id,
    act: (id) => call('PUT', `/bookings/${id}`, { notes: 'Squeaks' }),
  },
  'POST /bookings/{id}/confirmed': {
    ...{ edge: 'API', kinds: ['booking.created', 'booking.confirmed'], act: () => status('confirmed') },
  },
  'POST /bookings/{id}/completed': {
    ...{ edge: 'API', kinds: ['booking.created', 'booking.completed'], act: () => status('completed') },
  },
  'POST /bookings/{id}/cancelled': {
    ...{ edge: 'API', kinds: ['booking.created', 'booking.cancelled'], act: () => status('cancelled') },
  },
  'POST /leads/calls': {
    ...{ edge: 'API', kinds: ['callLead.created', 'callLead.missed'] },
    act: () => callLead({ outcome: 'missed' }),
  },
  'POST /leads/calls again': {
    ...{ edge: 'API', kinds: ['callLead.updated'] },
    given: async () => {
      const callerPhone = newPhone();
      await callLead({ callerPhone, externalId: 'C-1' });
      return callerPhone;
    },
    act: (callerPhone) => callLead({ callerPhone, externalId: 'C-1', notes: 'Rang twice' }),
  },
  'POST /quotes': { edge: 'API', kinds: ['quote.requested'], act: () => ask() },
  'POST /reminders/services, later': {
    ...{ edge: 'API', kinds: ['serviceReminder.scheduled'] },
    act: () => remind({ sendAt: inDays(9) }),
  },
  'POST /reminders/services, now': {
    ...{ edge: 'API', kinds: ['message.accepted', 'serviceReminder.sent'], act: () => remind() },
  },
  'POST /reminders/services/{id}/cancel': {
    ...{ edge: 'API', kinds: ['serviceReminder.cancelled'] },
    given: async () => (await remind({ sendAt: inDays(9) })).serviceReminder.id,
    act: (id) => call('POST', `/reminders/services/${id}/cancel`, {}),
  },
  'POST /workshops/{id}/messages': {
    ...{ edge: 'API', kinds: ['message.accepted'], act: () => text(newPhone()) },
  },
  'POST /workshops/{id}/messages, refused by the gateway': {
    ...{ edge: 'API', kinds: ['message.failed'] },
    act: () => {
      app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No such number' });
      return text(newPhone());
    },
  },
  'POST /workshops/{id}/messages, to one who has opted out': {
    ...{ edge: 'API', kinds: ['message.failed'] },
    given: async () => {
      const customerPhone = newPhone();
      await booking({ customerPhone });
      await pitlane('customer', 'opt-out', await customerOf(customerPhone));
      return customerPhone;
    },
    act: text,
  },
  'booking on the page': {
    ...{ edge: 'page', kinds: ['booking.created'] },
    act: async () => assert.equal((await shop.book(newPhone())).status, 303),
  },
  'moving on the page': {
    ...{ edge: 'page', kinds: ['booking.updated'] },
    given: async () => (await booked()).id,
    act: async (id) => assert.equal((await move(id)).status, 303),
  },
  'cancelling on the page': {
    ...{ edge: 'page', kinds: ['booking.cancelled'] },
    given: async () => (await booked()).id,
    act: async (id) =>
      assert.equal((await post(`${await managed(id)}/cancel`, { version: '1', reason: '' })).status, 303),
  },
  'accepting a quote on its page': {
    ...{ edge: 'page', kinds: ['booking.created', 'quote.accepted'] },
    given: async () => (await quoted()).code,
    act: async (code) =>
      assert.equal((await post(`/q/${code}/accept`, { time: shop.times[9] ?? '' })).status, 303),
  },
  'declining a quote on its page, and asking again': {
    ...{ edge: 'page', kinds: ['quote.declined', 'quote.requested'] },
    given: async () => (await quoted()).code,
    act: async (code) => {
      for (const answered of ['decline', 'again'])
        assert.equal((await post(`/q/${code}/${answered}`, {})).status, 303);
    },
  },
  'an SMS of a customer': {
    ...{ edge: 'SMS', kinds: ['message.received'] },
    given: async () => {
      const phone = newPhone();
      await text(phone);
      return phone;
    },
    act: (phone) => answer(phone, 'Thanks'),
  },
  'STOP and START': {
    ...{
      edge: 'SMS',
      kinds: ['message.received', 'customer.optedOut', 'message.received', 'customer.optedIn'],
    },
    given: async () => {
      const phone = newPhone();
      await text(phone);
      return phone;
    },
    act: async (phone) => {
      await answer(phone, 'STOP');
      await answer(phone, 'START');
    },
  },
  'booking create': {
    ...{ edge: 'command line', kinds: ['booking.created'] },
    act: () =>
      pitlane(
        ...[
          'booking',
          'create',
          '--workshop',
          workshopId,
          '--car-rego',
          'AAA111',
          '--customer-name',
          'Kim Lee',
        ],
        ...['--customer-phone', newPhone(), '--booking-time', shop.times[11] ?? ''],
      ),
  },
  'booking move, confirm and complete': {
    ...{ edge: 'command line', kinds: ['booking.updated', 'booking.confirmed', 'booking.completed'] },
    given: async () => (await booking()).code,
    act: async (code) => {
      await pitlane('booking', 'move', code, '--to', shop.times[12] ?? '');
      await pitlane('booking', 'confirm', code);
      await pitlane('booking', 'complete', code);
    },
  },
  'booking cancel': {
    ...{ edge: 'command line', kinds: ['booking.cancelled'] },
    given: async () => (await booking()).code,
    act: (code) => pitlane('booking', 'cancel', code),
  },
  'quote price and decline': {
    ...{ edge: 'command line', kinds: ['quote.quoted', 'quote.declined'] },
    given: async () => (await ask()).code,
    act: async (code) => {
      await pitlane('quote', 'price', code, '--line', 'Brake pads:2:94.50', '--valid-days', '3');
      await pitlane('quote', 'decline', code);
    },
  },
  'customer opt-out and opt-in': {
    ...{ edge: 'command line', kinds: ['customer.optedOut', 'customer.optedIn'] },
    given: async () => {
      const customerPhone = newPhone();
      await booking({ customerPhone });
      return customerOf(customerPhone);
    },
    act: async (id) => {
      await pitlane('customer', 'opt-out', id);
      await pitlane('customer', 'opt-in', id);
    },
  },
  'customer correct': {
    ...{ edge: 'command line', kinds: ['customer.corrected'] },
    given: async () => {
      const customerPhone = newPhone();
      await booking({ customerPhone });
      return customerOf(customerPhone);
    },
    act: (id) => pitlane('customer', 'correct', id, '--name', 'Sam Tailor'),
  },
  'booking ready': {
    ...{ edge: 'command line', kinds: ['booking.carReady'] },
    given: async () => (await booking()).id,
    act: (id) => pitlane('booking', 'ready', id),
  },
  'the SMS of staff, which the sender hands over': {
    ...{ edge: 'schedule', kinds: ['message.accepted'] },
    given: async () => {
      const phone = newPhone();
      const words = ['--text', 'At 5 pm.', '--reason', 'They rang'];
      await pitlane('message', 'send', '--workshop', workshopId, '--phone', phone, ...words);
      return phone;
    },
    act: () => app.drain(),
  },
  'a quote whose time is over': {
    ...{ edge: 'schedule', kinds: ['quote.expired'] },
    given: async () => {
      await quoted();
      await app.drain();
      app.advance(15 * 86_400);
      return '';
    },
    act: () => sweepQuotes(context),
  },
  'a reminder that falls due': {
    ...{ edge: 'schedule', kinds: ['message.accepted', 'serviceReminder.sent'] },
    given: async () => {
      await sendDueReminders(context);
      await remind({ sendAt: inDays(1) });
      await app.drain();
      app.advance(2 * 86_400);
      return '';
    },
    act: async () => {
      await sendDueReminders(context);
      await app.drain();
    },
  },
  'a reminder whose partner may send no more': {
    ...{ edge: 'schedule', kinds: ['serviceReminder.failed'] },
    given: async () => {
      await remind({ sendAt: inDays(1) });
      app.advance(2 * 86_400);
      return '';
    },
    act: async () => {
      await db.query('UPDATE partner SET messaging_enabled = false');
      await sendDueReminders(context);
      await db.query('UPDATE partner SET messaging_enabled = true');
    },
  },
  'the booking of a caller': {
    ...{ edge: 'schedule', kinds: ['callLead.updated'] },
    given: async () => {
      const customerPhone = newPhone();
      await callLead({ callerPhone: customerPhone });
      await booking({ customerPhone });
      return '';
    },
    act: () => app.drain(),
  },
  'the reminder that follows a completed booking': {
    ...{ edge: 'schedule', kinds: ['serviceReminder.scheduled'] },
    given: async () => {
      await status('completed');
      return '';
    },
    act: () => app.drain(),
  },
  'the report of a notice that was not delivered': {
    ...{ edge: 'gateway', kinds: ['message.noticeFailed'] },
    given: async () => {
      const phone = newPhone();
      await booking({ customerPhone: phone });
      return phone;
    },
    act: (phone) => report(accepted(phone), { state: 'undelivered' }),
  },
  'a delivery report, and one of an opt-out at the provider': {
    ...{ edge: 'gateway', kinds: ['message.delivered', 'customer.optedOut', 'message.failed'] },
    given: async () => {
      const [one, other] = [newPhone(), newPhone()];
      for (const phone of [one, other]) await text(phone);
      return `${accepted(one)} ${accepted(other)}`;
    },
    act: async (references) => {
      const [one = '', other = ''] = references.split(' ');
      await report(one, {});
      await report(other, { state: 'undelivered', optedOut: true });
    },
  },
};

interface Recorded {
  readonly id: string;
  readonly kind: string;
  readonly actor: string | null;
  readonly requestId: string | null;
}
const recorded = () => db.query<Recorded>('SELECT id, kind, actor, request_id FROM event ORDER BY id');
/** Delivery states of an SMS are nobody's change. */
const isKept = ({ kind, actor }: Recorded) =>
  !(kind.startsWith('message.') && (actor === 'gateway' || actor === 'schedule'));
/** The trail has each of them once, as its event has it; and no snapshot. */
async function assertTrail(events: readonly Recorded[]) {
  const ids = events.map(({ id }) => id);
  const entries = await db.query<Recorded>(
    'SELECT id, action AS kind, actor, request_id FROM audit_entry WHERE id = ANY ($1) ORDER BY id',
    [ids],
  );
  assert.deepEqual(entries, events.filter(isKept));
  const unlike = await db.query(
    `SELECT t.action FROM audit_entry t JOIN event e ON e.id = t.id WHERE e.id = ANY ($1)
        AND (t.subject_id, t.workshop_id, t.partner_id, t.version, t.occurred_at, t.before, t.after)
         IS DISTINCT FROM (e.subject_id, e.workshop_id, e.partner_id, e.version, e.occurred_at, e.before, e.after)`,
    [ids],
  );
  assert.deepEqual(unlike, []);
}

const covered = new Set<string>();
for (const [name, { edge, kinds, given, act }] of Object.entries(acts)) {
  test(`${name}: ${kinds.join(', ')} by ${edges[edge].actor.replace(partner.appKey, 'the app key')}`, async () => {
    await app.drain();
    const needed = (await given?.()) ?? '';
    if (edge !== 'schedule') await app.drain();
    const before = new Set((await recorded()).map(({ id }) => id));
    await act(needed);
    const events = (await recorded()).filter(({ id }) => !before.has(id));
    assert.deepEqual(events.map(({ kind }) => kind).sort(), [...kinds].sort());
    for (const { kind, actor, requestId } of events) {
      assert.equal(actor, edges[edge].actor, kind);
      const expected = edges[edge].requestId;
      if (expected === null) assert.equal(requestId, null, kind);
      else assert.match(requestId ?? '', expected, kind);
      covered.add(kind);
    }
    await app.drain();
    await assertTrail(events);
  });
}

test('each kind of event is recorded by one of these', () => {
  assert.deepEqual(
    eventKinds.filter((kind) => !covered.has(kind)),
    [],
  );
});

test('the event of a change has the changed fields before and after; that of what is new has none', async () => {
  const isNew = `kind ~ '^message[.]|[.](?:created|requested|scheduled|missed)$'`;
  const bare = await db.query(
    `SELECT DISTINCT kind, actor FROM event WHERE (before IS NULL OR after IS NULL) AND NOT ${isNew}`,
  );
  // The booking of a caller is a call's by the booking, and no field of its own.
  assert.deepEqual(bare, [{ kind: 'callLead.updated', actor: 'schedule' }]);
  const strange = await db.query(
    `SELECT kind, before, after FROM event WHERE before = after OR (before IS NOT NULL AND ${isNew})
        OR ARRAY(SELECT jsonb_object_keys(before) ORDER BY 1) <> ARRAY(SELECT jsonb_object_keys(after) ORDER BY 1)`,
  );
  assert.deepEqual(strange, []);
});

test('no event is without its actor, and none says it to a partner', async () => {
  await app.drain();
  assert.deepEqual(await db.query('SELECT kind FROM event WHERE actor IS NULL'), []);
  const held = await db.query(
    `SELECT payload::text AS told FROM event UNION ALL SELECT to_jsonb(p)::text FROM partner_event p
     UNION ALL SELECT to_jsonb(i)::text FROM idempotency i`,
  );
  assert.ok(held.length > 50);
  const paths = ['/bookings', '/quotes', '/reminders/services', '/leads/calls', '/events'];
  const answers = await Promise.all(paths.map((path) => partner.call('GET', `${path}?limit=200`)));
  const document = await app.request('GET', '/openapi.json');
  for (const shown of [
    ...held,
    ...answers.map(({ body }) => body),
    ...receiver.received.map(({ body }) => body),
  ]) {
    assert.doesNotMatch(
      JSON.stringify(shown),
      /ptl_key_|asked-\d|customer (?:link|sms)|"(?:actor|before|after)"/,
    );
  }
  assert.ok(receiver.received.length > 10);
  assert.doesNotMatch(JSON.stringify(document.body), /"actor"/);
});

after(() => receiver.close());
