/** Long because every trigger and every stop shares one world. */

/** What triggers an automation, when it is sent, and what stops or moves it (specification: Automations). */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { giveStatus } from '#product/bookings/staff/status.ts';
import { publishTemplate, unpublishTemplate } from '#product/templates/publish.ts';
import { reactions } from '#reactions.ts';
import { automationWorld } from '../../../../test/fixtures/campaigns.ts';
import { makeAllDue } from '../../../../test/harness/sending.ts';
import { bookingBody } from '../../../../test/harness/world.ts';
import { setAutomationStatus } from './change.ts';
import { purgeRuns, runAutomations } from './run.ts';

const world = await automationWorld();
const { app, db, clock, context, partner, workshopId, until, work, runs, automation, template, trigger } =
  world;
const minute = 60_000;
const day = 24 * 60 * minute;
let number = 0;
let phone = '';

beforeEach(async () => {
  await work();
  await db.query('TRUNCATE automation_run, automation, message, queued_message, send_hold CASCADE');
  app.sms.clear();
  phone = `+6149157${1_000 + number++}`;
  until(12);
});

/** A booking `inMs` milliseconds from the beginning of this hour, so that a slow machine does not change the minute. */
async function book(inMs: number, changes: object = {}) {
  const now = clock.now().getTime();
  const bookingTime = new Date(now - (now % (60 * minute)) + inMs).toISOString();
  const body = bookingBody(workshopId, { bookingTime, customerPhone: phone, ...changes });
  const answer = await partner.call('POST', '/bookings', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.booking;
}
const put = async (id: string, body: object) =>
  assert.equal((await partner.call('PUT', `/bookings/${id}`, body)).status, 200);
const status = async (id: string, to: string, body: object = {}) =>
  assert.equal((await partner.call('POST', `/bookings/${id}/${to}`, body)).status, 200);
const relay = async () => {
  while ((await relayBatch(context, reactions)) > 0);
};
/** The texts that automations sent to the phone; only these say how to stop. */
const texts = () => app.sms.to(phone).filter(({ body }) => /STOP/.test(body));
const outcome = async (id: string) => (await runs(id)).map(({ status: its, reason }) => [its, reason]);
const local = (at: Date | undefined) =>
  Temporal.Instant.fromEpochMilliseconds(at?.getTime() ?? 0)
    .toZonedDateTimeISO('Australia/Melbourne')
    .toPlainTime()
    .toString({ smallestUnit: 'minute' });

describe('triggers', () => {
  test("always: a booking that staff make confirmed triggers both automations of its start, each once, and one that waits the first alone (specification: The workshop's own bookings 10)", async () => {
    const created = await automation({ trigger: 'bookingCreated' });
    const confirmed = await automation({ trigger: 'bookingConfirmed' });
    const own = (isPending: boolean) =>
      createOwnBooking(
        context,
        workshopId,
        { bookingTime: 'tomorrow 10:00', customerName: 'Una', customerPhone: phone, isPending },
        { notify: true, anyway: null, actor: actors.operator },
      );
    const sent = async () => [(await outcome(created)).length, (await outcome(confirmed)).length];
    await own(false);
    await work();
    assert.deepEqual(await sent(), [1, 1]);
    const waiting = await own(true);
    await work();
    assert.deepEqual(await sent(), [2, 1]);
    await giveStatus(context, waiting.id, {
      ...{ status: 'confirmed', reason: undefined, notify: true, actor: actors.operator },
    });
    await work();
    assert.deepEqual(await sent(), [2, 2]);
  });

  test('each status of a booking triggers its own automation, once, with the values of the booking (specification: Automations 1)', async () => {
    const body = '{{ workshop.name }} {{ booking.code }} {{ booking.status }}. Reply STOP to end';
    const types = ['bookingCreated', 'bookingConfirmed', 'bookingCompleted', 'bookingCancelled'];
    const ids = new Map<string, string>();
    for (const type of types)
      ids.set(type, await automation({ trigger: type, template: await template(body) }));
    const one = await book(day);
    await work();
    assert.deepEqual(
      texts().map((sms) => sms.body),
      [`Harbour Motors ${one.code} pending. Reply STOP to end`],
    );
    await status(one.id, 'confirmed');
    await status(one.id, 'completed');
    const two = await book(day);
    await status(two.id, 'cancelled');
    await work();
    await work();
    const counts = await Promise.all(
      types.map(async (type) => (await outcome(ids.get(type) ?? '')).map(String)),
    );
    assert.deepEqual(counts, [
      // A booking that is cancelled before its creation is relayed has no text to stop.
      ['sent,'],
      ['sent,'],
      ['sent,'],
      ['sent,'],
    ]);
  });

  test('an offset is counted by the business clock (specification: Automations 1)', async () => {
    const id = await automation({ trigger: 'bookingCompleted', offsetMinutes: '90' });
    await status((await book(day)).id, 'completed');
    await work();
    app.advance(89 * 60);
    await work();
    assert.deepEqual([await outcome(id), texts().length], [[['scheduled', null]], 0]);
    app.advance(61);
    await work();
    assert.deepEqual([await outcome(id), texts().length], [[['sent', null]], 1]);
  });

  test('a missed call: also from a phone without a customer; not a call of last week, nor an answered one (specification: Automations 1 and 8)', async () => {
    const id = await automation({
      trigger: 'callMissed',
      template: await template('Sorry that we missed you'),
    });
    const call = async (changes: object) => {
      const sent = {
        workshopId,
        callerPhone: phone,
        calledAt: clock.now().toISOString(),
        outcome: 'missed',
        ...changes,
      };
      assert.equal((await partner.call('POST', '/leads/calls', sent)).status, 201);
    };
    await call({ externalId: 'one' });
    await call({ calledAt: new Date(clock.now().getTime() - 7 * day).toISOString() });
    await call({ outcome: 'answered' });
    await work();
    assert.deepEqual([await outcome(id), texts().length], [[['sent', null]], 1]);
    // Each text answers what that one person did, so a number of another country is no reason to hold it back.
    await call({ callerPhone: '+64211234567', externalId: 'abroad' });
    await work();
    assert.equal(app.sms.to('+64211234567').length, 1);
  });

  test('skipNotification, a past date, and events from before the automation trigger nothing (specification: Automations 2; Creating a booking 3)', async () => {
    const early = await book(day);
    const ids = [
      ...(await Promise.all(
        ['bookingCreated', 'bookingCompleted'].map((type) => automation({ trigger: type })),
      )),
      await automation({ trigger: 'beforeBooking', offsetMinutes: '60' }),
    ];
    const silent = await book(2 * day, { skipNotification: true });
    const past = await book(-day);
    await status(past.id, 'completed');
    await status(silent.id, 'completed', { skipNotification: true });
    await work();
    await work();
    for (const id of ids) assert.deepEqual(await runs(id), []);
    await status(early.id, 'completed');
    await work();
    assert.equal((await runs(ids[1] ?? '')).length, 1);
  });

  test('an event that is relayed twice sends one text (specification: Automations 2)', async () => {
    const id = await automation({ trigger: 'bookingCreated' });
    const { id: bookingId } = await book(day);
    await work();
    await db.query('UPDATE event SET relayed_at = NULL WHERE subject_id = $1', [bookingId]);
    await db.query('TRUNCATE message, queued_message CASCADE');
    app.sms.clear();
    await work();
    assert.deepEqual([(await runs(id)).length, texts().length], [1, 0]);
  });
});

describe('quiet hours', () => {
  test('a text that falls into them waits for their end; an automation may have other quiet hours, or none (specification: Automations 4)', async () => {
    const ids = [
      await automation({ trigger: 'bookingCreated' }),
      await automation({ trigger: 'bookingCreated', quietHours: '19:00-07:30' }),
      await automation({ trigger: 'bookingCreated', quietHours: 'off' }),
    ];
    until(21);
    await book(3 * day);
    await work();
    assert.equal(texts().length, 1);
    const due = await Promise.all(ids.map(async (id) => local((await runs(id))[0]?.dueAt)));
    assert.deepEqual(due.slice(0, 2), ['08:00', '07:30']);
    until(7, 31);
    await work();
    assert.equal(texts().length, 2);
    until(8);
    await work();
    assert.equal(texts().length, 3);
  });

  test('a text that was queued before them and not sent waits in the queue; a run that is found late waits too', async () => {
    const id = await automation();
    until(19, 59);
    await trigger(id, { phone });
    await runAutomations(context);
    app.advance(120);
    await app.drain();
    assert.equal(texts().length, 0);
    until(8, 1);
    await makeAllDue(db);
    await app.drain();
    assert.equal(texts().length, 1);
    const late = await automation({ offsetMinutes: '60' });
    until(18);
    await trigger(late, { phone });
    until(22);
    await work();
    assert.deepEqual([local((await runs(late))[0]?.dueAt), texts().length], ['08:00', 1]);
  });
});

describe('before a booking', () => {
  const tomorrow = { trigger: 'beforeBooking', offsetMinutes: '1440' };

  test('it is sent `offset` minutes before; in quiet hours, at the last allowed minute before them; once that is past, it is skipped as too late (specification: Automations 4)', async () => {
    const id = await automation(tomorrow);
    await book(3 * day);
    await book(2 * day + 11 * 60 * minute);
    await book(12 * 60 * minute);
    until(21);
    await book(day + 2 * 60 * minute);
    await relay();
    const planned = await runs(id);
    assert.deepEqual(
      planned.map(({ dueAt, status: its, reason }) => [local(dueAt), its, reason]),
      [
        ['12:00', 'scheduled', null],
        ['19:59', 'scheduled', null],
        ['19:59', 'skipped', 'tooLate'],
        ['19:59', 'skipped', 'tooLate'],
      ].map(([time, ...rest], index) => [index === 2 ? local(planned[2]?.dueAt) : time, ...rest]),
    );
    until(12);
    await work();
    assert.equal(texts().length, 0);
    until(19, 59);
    await work();
    assert.equal(texts().length, 1, 'of the second');
    until(12);
    await work();
    assert.equal(texts().length, 2, 'of the first');
  });

  test('a move cancels the text and plans it for the new time, also back to the old time, and without a notice; each date once (specification: Automations 3)', async () => {
    const id = await automation(tomorrow);
    const booking = await book(3 * day);
    await work();
    const later = new Date(clock.now().getTime() + 6 * day).toISOString();
    await put(booking.id, { date: later });
    await work();
    assert.deepEqual(await outcome(id), [
      ['skipped', 'bookingMoved'],
      ['scheduled', null],
    ]);
    await put(booking.id, { date: booking.date, skipNotification: true });
    await work();
    assert.deepEqual((await outcome(id)).map(String).sort(), ['scheduled,', 'skipped,bookingMoved']);
    app.advance(2 * 86_400 + 60);
    await work();
    assert.equal(texts().length, 1);
    // It was sent for that date; the next date is another cause.
    await put(booking.id, { date: later });
    await work();
    assert.deepEqual((await outcome(id)).map(String).sort(), ['scheduled,', 'sent,']);
  });

  test('a move without a notice plans nothing for a booking that was created without one', async () => {
    const id = await automation(tomorrow);
    const booking = await book(3 * day, { skipNotification: true });
    await put(booking.id, {
      date: new Date(clock.now().getTime() + 6 * day).toISOString(),
      skipNotification: true,
    });
    await work();
    assert.deepEqual(await runs(id), []);
  });

  test('moved and cancelled before its creation is relayed: only the present date counts', async () => {
    const id = await automation(tomorrow);
    const moved = await book(3 * day);
    const later = new Date(clock.now().getTime() + 6 * day).toISOString();
    await put(moved.id, { date: later, skipNotification: true });
    const gone = await book(3 * day);
    await status(gone.id, 'cancelled');
    await relay();
    const planned = await runs(id);
    assert.deepEqual(
      planned.map(({ status: its, bookingId }) => [its, bookingId]),
      [['scheduled', moved.id]],
    );
    assert.equal(planned[0]?.dueAt.toISOString(), new Date(Date.parse(later) - day).toISOString());
  });

  test('a completed or cancelled booking stops it', async () => {
    const id = await automation(tomorrow);
    const [one, two] = [await book(3 * day), await book(3 * day)];
    await work();
    await status(one.id, 'completed');
    await status(two.id, 'cancelled');
    await work();
    assert.deepEqual((await outcome(id)).map(String).sort(), [
      'skipped,bookingCancelled',
      'skipped,bookingCompleted',
    ]);
  });
});

describe('what stops a text', () => {
  test('a booking that is cancelled after its text was queued: the text is not handed over (specification: Automations 3)', async () => {
    const id = await automation({ trigger: 'bookingCreated' });
    const booking = await book(day);
    await relay();
    await runAutomations(context);
    await status(booking.id, 'cancelled');
    await relay();
    await app.drain();
    assert.deepEqual([await outcome(id), texts().length], [[['skipped', 'cancelled']], 0]);
  });

  test('a booking that is cancelled before its run is due: the run is skipped, even before the event is relayed (specification: Automations 3)', async () => {
    const id = await automation({ trigger: 'bookingConfirmed', offsetMinutes: '10' });
    const booking = await book(day);
    await status(booking.id, 'confirmed');
    await relay();
    await status(booking.id, 'cancelled');
    app.advance(601);
    await runAutomations(context);
    assert.deepEqual(await outcome(id), [['skipped', 'bookingCancelled']]);
  });

  test('pause: runs that come due meanwhile are skipped; after the resumption later runs are sent', async () => {
    const id = await automation({ trigger: 'bookingCreated', offsetMinutes: '10' });
    await setAutomationStatus({ db, clock }, id, 'paused', actors.operator);
    await book(day);
    await work();
    app.advance(601);
    await work();
    await book(day);
    await work();
    await setAutomationStatus({ db, clock }, id, 'active', actors.operator);
    app.advance(601);
    await work();
    assert.deepEqual([(await outcome(id)).map(String), texts().length], [['skipped,paused', 'sent,'], 1]);
  });

  test('conditions, an opt-out, an unpublished template: each with its reason', async () => {
    const templateId = await template();
    const tyres = await automation({ serviceCategory: ['tyres'], template: templateId });
    const rare = await automation({ minDaysSinceLastBooking: '30' });
    const booking = await book(day, { serviceCategory: 'tyres', skipNotification: true });
    const about = { customerId: booking.customerId, bookingId: booking.id };
    for (const id of [tyres, rare]) await trigger(id, { customerId: booking.customerId });
    await work();
    assert.deepEqual(
      [await outcome(tyres), await outcome(rare)],
      [[['skipped', 'conditions']], [['skipped', 'conditions']]],
    );
    for (const id of [tyres, rare]) await trigger(id, about);
    await work();
    // The booking of the run itself does not count as another booking.
    assert.deepEqual(
      [(await outcome(tyres))[1], (await outcome(rare))[1]],
      [
        ['sent', null],
        ['sent', null],
      ],
    );
    await unpublishTemplate({ db, clock }, templateId, actors.operator);
    await trigger(tyres, about);
    await work();
    assert.deepEqual((await outcome(tyres))[2], ['skipped', 'templateUnpublished']);
    await publishTemplate({ db, clock }, templateId, actors.operator);
    await db.query('UPDATE customer SET opted_out_at = $2 WHERE id = $1', [booking.customerId, clock.now()]);
    await trigger(tyres, about);
    await work();
    assert.deepEqual((await outcome(tyres))[3], ['skipped', 'optedOut']);
  });

  test('a refusal by the gateway and an unknown outcome fail the run; nothing is repeated', async () => {
    const id = await automation();
    app.sms.always(phone, { state: 'unknown', detail: 'no answer' });
    await trigger(id, { phone });
    await work();
    await db.query(`UPDATE message_attempt SET started_at = started_at - interval '2 minutes'`);
    await makeAllDue(db);
    await work();
    app.sms.always(phone, { state: 'refused', permanent: true, reason: 'invalidNumber', detail: 'x' });
    await trigger(id, { phone });
    await work();
    assert.deepEqual(await outcome(id), [
      ['failed', 'unknownOutcome'],
      ['failed', 'invalidNumber'],
    ]);
    assert.equal(texts().length, 2);
  });

  test('several processes send each run once (specification: Automations 2)', async () => {
    const id = await automation({ trigger: 'bookingCreated' });
    for (let times = 0; times < 30; times++) await book(day + times * minute);
    await relay();
    await Promise.all([1, 2, 3, 4].map(() => runAutomations(context)));
    await work();
    assert.deepEqual([texts().length, (await runs(id)).length], [30, 30]);
  });

  test('the retention of a run counts from its end, however long ago it was planned', async () => {
    const kept = context.config.noticesKeptDays;
    const id = await automation({ trigger: 'beforeBooking', offsetMinutes: '60' });
    const early = await book((kept + 10) * day);
    await book((kept + 20) * day);
    await relay();
    await status(early.id, 'cancelled');
    await relay();
    await purgeRuns(context);
    assert.deepEqual(await outcome(id), [
      ['skipped', 'bookingCancelled'],
      ['scheduled', null],
    ]);
    app.advance((kept + 1) * 86_400);
    await purgeRuns(context);
    assert.deepEqual(await outcome(id), [['scheduled', null]], 'one that was stopped early ended then');
    app.advance(19 * 86_400 - 1_800);
    await work();
    await purgeRuns(context);
    assert.deepEqual([await outcome(id), texts().length], [[['sent', null]], 1]);
    app.advance((kept - 1) * 86_400);
    await purgeRuns(context);
    assert.equal((await outcome(id)).length, 1);
    app.advance(2 * 86_400);
    await purgeRuns(context);
    assert.deepEqual(await outcome(id), []);
  });
});
