/** Texts triggered by a booking on a page count under the limits of pages when they are due. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { automationWorld } from '../../../../test/fixtures/campaigns.ts';
import { bookingBody } from '../../../../test/harness/world.ts';

const { app, db, partner, workshopId, work, automation, runs } = await automationWorld();

test('always: five SMS an hour to one phone, notices included; texts triggered by a partner’s booking are not limited (specification: Booking page 26)', async () => {
  const id = await automation({ trigger: 'bookingCreated' });
  const link = new URL((await partner.call('GET', `/workshops/${workshopId}/booking-url`)).body.url);
  const { days } = (await partner.call('GET', `/workshops/${workshopId}/availabilities`)).body;
  const times = days.flatMap((day: { slots: { time: string }[] }) => day.slots.map(({ time }) => time));
  const phone = '+61491570006';
  for (let n = 0; n < 4; n++) {
    const form = {
      k: link.searchParams.get('k') ?? '',
      ...{ category: 'others', time: times[n + 1], formId: `${n}`, customerName: 'Kim Lee' },
      ...{ customerPhone: phone, customerEmail: 'kim@mail.example', carRego: '1AB2CD' },
    };
    const answer = await fetch(`${app.url}${link.pathname}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    assert.equal(answer.status, 303, await answer.text());
  }
  await work();
  const outcomes = async () => (await runs(id)).map(({ status, reason }) => `${status} ${reason}`).sort();
  assert.deepEqual(await outcomes(), ['sent null', ...Array(3).fill('skipped pageCeiling')]);
  assert.equal(app.sms.to(phone).length, 5);
  const rows = await db.query(
    `SELECT state, reason FROM message WHERE kind = 'automation' AND state = 'failed'`,
  );
  assert.deepEqual(rows, Array(3).fill({ state: 'failed', reason: 'pageCeiling' }));

  const body = bookingBody(workshopId, { customerPhone: phone, bookingTime: times[9] });
  assert.equal((await partner.call('POST', '/bookings', body)).status, 201);
  await work();
  assert.equal((await outcomes()).filter((outcome) => outcome === 'sent null').length, 2);
});
