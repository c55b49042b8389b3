/** A workshop's secret calendar address (specification: The workshop's own bookings 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { makeCalendar, revokeCalendar } from './address.ts';

const { app, partner, workshopId, book, change } = await bookingWorld();
const { db, clock } = app.context;
const second = await signedInPartner(app, 'Second');
const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString();

/** The entries of a calendar by UID, unfolded. */
async function entriesAt(path: string): Promise<Map<string, string>> {
  const { status, body, headers } = await app.request('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.doesNotMatch(body, /[^\r]\n/);
  const unfolded = body.replaceAll('\r\n ', '').replaceAll('\r\n', '\n');
  assert.match(unfolded, /^BEGIN:VCALENDAR\n.*\nEND:VCALENDAR\n$/s);
  const events: string[] = unfolded.match(/BEGIN:VEVENT\n.*?END:VEVENT/gs) ?? [];
  return new Map(events.map((text) => [/^UID:(.*)$/m.exec(text)?.[1] ?? '', text]));
}

test("shows the workshop’s bookings, of all partners and its own, and none of another workshop (specification: The workshop's own bookings 21)", async () => {
  const here = await linkedWorkshop(app, [partner, second], { name: 'Here, Motors' });
  const { path } = await makeCalendar({ db, clock }, here, actors.operator);
  assert.match(path, /^\/calendar\/ptl_cal_[\w-]{43}\.ics$/);
  assert.equal((await entriesAt(path)).size, 0);

  const [first, other] = [
    await book({
      workshopId: here,
      bookingTime: inDays(3),
      notes: 'Line one\nBEGIN:VEVENT',
      services: [{ title: 'Tyres' }],
    }),
    await book(
      { workshopId: here, bookingTime: inDays(-2), customerName: 'A; B, C', carRego: 'XYZ9' },
      second,
    ),
  ];
  await book({ bookingTime: inDays(3) });
  const own = await createOwnBooking(
    { db, clock },
    here,
    {
      ...{ carRego: 'WALK1', bookingTime: inDays(5), customerName: 'Wendy' },
      customerPhone: '0491570110',
    },
    { notify: false, anyway: null, actor: actors.operator },
  );
  const [tooOld, tooLate] = [
    await book({ workshopId: here, bookingTime: inDays(-61) }),
    await book({ workshopId: here, bookingTime: inDays(366) }),
  ];

  const entries = await entriesAt(path);
  const uid = ({ id }: { id: string }) => `booking-${id}@pitlane`;
  assert.deepEqual([...entries.keys()], [uid(other), uid(first), uid(own)]);
  assert.ok(!entries.has(uid(tooOld)) && !entries.has(uid(tooLate)));
  const entry = entries.get(uid(first)) ?? '';
  assert.match(entry, /^SUMMARY:ABC123 Sam Taylor: Tyres$/m);
  assert.match(entry, /^STATUS:TENTATIVE$/m);
  assert.match(entry, new RegExp(`^DTSTART:${first.date.replace(/[-:]|\.\d+/g, '')}$`, 'm'));
  assert.match(
    entry,
    new RegExp(
      `Booking ${first.code}\\\\, pending\\\\n\\+61491570006\\\\nTyres\\\\nLine one\\\\nBEGIN:VEVENT$`,
      'm',
    ),
  );
  assert.match(entries.get(uid(other)) ?? '', /^SUMMARY:XYZ9 A\\; B\\, C$/m);

  await change(first.id, { date: inDays(4) });
  await partner.call('POST', `/bookings/${first.id}/cancelled`, { reason: 'Rain' });
  const cancelled = (await entriesAt(path)).get(uid(first)) ?? '';
  assert.match(cancelled, /^STATUS:CANCELLED$/m);
  assert.match(cancelled, /^SEQUENCE:3$/m);
  assert.match(cancelled, /\\nRain$/m);

  await eraseCustomer({ db, clock }, first.customerId, actors.operator);
  assert.doesNotMatch(
    [...(await entriesAt(path)).values()].join(),
    /Sam Taylor|ABC123|61491570006|Rain|Line one/,
  );
});

test("the ETag is the same while nothing changes (specification: The workshop's own bookings 22)", async () => {
  const { path } = await makeCalendar({ db, clock }, workshopId, actors.operator);
  const first = await app.request('GET', path);
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]{43}"$/);
  assert.match(first.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
  for (const known of [`"x", W/${etag}`, etag.replace(/"$/, '-gzip"')]) {
    const again = await app.request('GET', path, { headers: { 'if-none-match': known } });
    assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, null, etag]);
  }
  await book({ bookingTime: inDays(6) });
  const changed = await app.request('GET', path, { headers: { 'if-none-match': etag } });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('etag'), etag);
  assert.equal((await app.request('HEAD', path)).status, 200);
});

test("404 for an unknown, revoked or replaced address; the secret is not stored (specification: The workshop's own bookings 22)", async () => {
  const { path: earlier } = await makeCalendar({ db, clock }, workshopId, actors.operator);
  const { path } = await makeCalendar({ db, clock }, workshopId, actors.operator);
  const secret = /ptl_cal_[\w-]+/.exec(path)?.[0] ?? '';
  const [row] = await db.query<{ row: string }>(
    `SELECT k::text AS row FROM workshop_calendar k WHERE workshop_id = $1`,
    [workshopId],
  );
  assert.ok(!row?.row.includes(secret.slice(8, 20)));
  const none = [earlier, path.replace('.ics', ''), `${path}x`, `/calendar/${newId()}.ics`, '/calendar/x'];
  for (const other of [...none, `/v1${path}`, `/calendar/ptl_cal_${'a'.repeat(43)}.ics`]) {
    const answer = await app.request('GET', other);
    assert.deepEqual([answer.status, answer.body.errorCode], [404, '000002'], other);
  }
  assert.equal((await app.request('POST', path)).status, 405);
  assert.equal((await app.request('GET', path)).status, 200);
  await revokeCalendar({ db, clock }, workshopId, actors.operator);
  assert.equal((await app.request('GET', path)).status, 404);
  await assert.rejects(revokeCalendar({ db, clock }, workshopId, actors.operator), /has no calendar address/);
  for (const id of [newId(), 'x']) {
    await assert.rejects(makeCalendar({ db, clock }, id, actors.operator), /there is no workshop/);
    await assert.rejects(revokeCalendar({ db, clock }, id, actors.operator), /there is no workshop/);
  }
});

test("an address that is read too often is 429 for a while; other addresses are not (specification: The workshop's own bookings 22)", async () => {
  const busy = await linkedWorkshop(app, [partner]);
  const { path } = await makeCalendar({ db, clock }, busy, actors.operator);
  for (let n = 0; n < 10; n++) assert.equal((await app.request('GET', path)).status, 200);
  const refused = await app.request('GET', path);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  const { path: other } = await makeCalendar(
    { db, clock },
    await linkedWorkshop(app, [partner]),
    actors.operator,
  );
  assert.equal((await app.request('GET', other)).status, 200);
  app.pass(61);
  assert.equal((await app.request('GET', path)).status, 200);
});

test("a busy workshop: the next 1,500 and the latest 500, by the index of dates (specification: The workshop's own bookings 21)", async () => {
  const busy = await linkedWorkshop(app, [partner]);
  const { id } = await book({ workshopId: busy, bookingTime: inDays(1) });
  await db.query(
    `INSERT INTO booking (id, code, workshop_id, customer_id, car_id, date, contact_name, contact_email, contact_phone, created_at, updated_at)
     SELECT gen_random_uuid(), 'B' || n, workshop_id, customer_id, car_id, $2::timestamptz + n * interval '10 minutes', 'Sam', '', '+61491570006', created_at, updated_at
       FROM booking, generate_series(-700, 2000) AS n WHERE id = $1 AND n <> 0`,
    [id, clock.now()],
  );
  const { path } = await makeCalendar({ db, clock }, busy, actors.operator);
  assert.equal((await entriesAt(path)).size, 2_000);
});
