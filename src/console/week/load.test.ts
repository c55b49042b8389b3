/** The load of each hour of a week, over random worlds, against a count minute by minute; on weeks of 167 and 169 hours too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { addDays, dateAt } from '#base/values/local-day.ts';
import { weekdays } from '#base/values/weekday.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { baseOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { shownInHour } from './read.ts';

const app = await startTestApp();
app.clock.setAdvance(Math.round((Date.parse('2030-03-03T23:10:00Z') - Date.now()) / 1_000));
const partner = await signedInPartner(app);
const { db } = app.context;
const workshopId = await linkedWorkshop(app, [partner]);
const person = await signedInPerson(app, [workshopId], 'viewer');
const base = await baseOf(app, workshopId);
const timezone = 'Australia/Melbourne';
const minuteMs = 60_000;
const bays = 3;
/** Their Sundays have 25 and 23 hours, and are open by night. */
const weeks = ['2030-04-02', '2030-10-01', '2030-03-11'];

await importWorkshop(
  { db, clock: app.clock },
  JSON.stringify({
    ...{ workshopId, settings: { bays } },
    hours: Object.fromEntries(weekdays.map((weekday) => [weekday, [{ from: '08:00', to: '17:00' }]])),
    custom: ['2030-04-07', '2030-10-06'].map((date) => ({
      date,
      hours: [{ from: '00:00', to: '12:00' }],
    })),
  }),
  actors.operator,
);
const ids: string[] = [];
for (let n = 0; n < 12; n++) {
  const { body } = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { bookingTime: '2030-03-04T01:00:00Z', customerPhone: `+614915700${10 + n}` }),
  );
  ids.push(body.booking.id);
}

const world = fc.record({
  from: fc.constantFrom(...weeks),
  bookings: fc.array(
    fc.record({
      day: fc.integer({ min: -1, max: 6 }),
      quarter: fc.integer({ min: 0, max: 16 }),
      minutes: fc.integer({ min: 5, max: 240 }),
      nights: fc.constantFrom(0, 0, 0, 0, 1, 2),
      status: fc.constantFrom('pending', 'confirmed', 'confirmed', 'completed', 'cancelled'),
      attendance: fc.constantFrom('expected', 'here', 'didNotCome'),
    }),
    { minLength: ids.length, maxLength: ids.length },
  ),
  blocks: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 6 }),
      hour: fc.integer({ min: 0, max: 8 }),
      hours: fc.integer({ min: 1, max: 9 }),
      bays: fc.constantFrom(1, 2, null),
    }),
    { maxLength: 3 },
  ),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

interface Kept {
  readonly from: number;
  readonly until: number;
  readonly weight: number;
}

/** Makes the world, and returns what keeps bays in it. */
async function make({ from, bookings, blocks }: World): Promise<Kept[]> {
  const at = (day: number, minutes: number) => {
    const date = Temporal.PlainDate.from(addDays(from, day));
    // On a day that is open by night, from midnight on.
    const opens = ['2030-04-07', '2030-10-06'].includes(date.toString()) ? 0 : 8;
    return (
      date.toZonedDateTime({ timeZone: timezone, plainTime: { hour: opens } }).epochMilliseconds +
      minutes * minuteMs
    );
  };
  const rows = bookings.map(({ day, quarter, minutes, nights, ...rest }, n) => {
    const begins = at(day, quarter * 15);
    // It ends while the workshop is open.
    const ends = nights === 0 ? begins + minutes * minuteMs : at(day + nights, 15 + (minutes % 200));
    return {
      ...rest,
      id: ids[n],
      date: new Date(begins),
      until: new Date(ends),
      minutes: (ends - begins) / minuteMs,
    };
  });
  await db.query(
    `UPDATE booking SET date = its.date, occupied_from = its.date, occupied_until = its.until, status = its.status,
            service_minutes = ARRAY[its.minutes]
       FROM jsonb_to_recordset($1) AS its (id uuid, date timestamptz, until timestamptz, status text, minutes integer) WHERE booking.id = its.id`,
    [JSON.stringify(rows)],
  );
  await db.query('DELETE FROM attendance');
  await db.query(
    `INSERT INTO attendance (booking_id, state, actor, at)
     SELECT id, attendance, 'x', now() FROM jsonb_to_recordset($1) AS its (id uuid, attendance text)`,
    [JSON.stringify(rows)],
  );
  const closed = blocks.map(({ day, hour, hours, bays: its }) => ({
    ...{ from: new Date(at(day, hour * 60)), until: new Date(at(day, (hour + hours) * 60)), bays: its },
  }));
  await db.query('DELETE FROM bay_block');
  await db.query(
    `INSERT INTO bay_block (id, workshop_id, blocked_from, blocked_until, bays, reason, created_at)
     SELECT gen_random_uuid(), $2, "from", until, bays, 'Hoist', now() FROM jsonb_to_recordset($1) AS its ("from" timestamptz, until timestamptz, bays integer)`,
    [JSON.stringify(closed), workshopId],
  );
  return [
    ...rows
      .filter(({ status, attendance }) => status !== 'cancelled' && attendance !== 'didNotCome')
      .map(({ date, until }) => ({
        ...{ from: date.getTime(), weight: 1 },
        until: Math.max(until.getTime(), date.getTime() + 30 * minuteMs),
      })),
    ...closed.map(({ from: begins, until, bays: its }) => ({
      ...{ from: begins.getTime(), until: until.getTime(), weight: its ?? bays },
    })),
  ];
}

function mostIn(kept: readonly Kept[], hour: number): number {
  const minutes = Array.from({ length: 60 }, (_, n) => hour + n * minuteMs);
  const at = (minute: number) =>
    kept
      .filter(({ from, until }) => from <= minute && until > minute)
      .reduce((sum, { weight }) => sum + weight, 0);
  return Math.max(...minutes.map(at));
}

const hoursOf = (text: string) =>
  [...text.matchAll(/<li id="h-(\d+)".*?<span class="bays[^"]*">(?:(\d+) of (\d+) bays)?/g)].map(
    ([, at, used, of]) => ({
      ...{ at: Number(at), used: Number(used ?? 0), bays: Number(of ?? bays) },
    }),
  );

test('the load of each hour is the most bays that are kept at once in it, as on the page of that day', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (made) => {
      const kept = await make(made);
      const { text } = await person.get(`${base}/week?from=${made.from}`);
      const hours = hoursOf(text);
      assert.ok(hours.length >= 6 * 9, `${hours.length}`);
      for (const { at, used, bays: of } of hours) {
        assert.equal(of, bays);
        assert.equal(used, mostIn(kept, at), new Date(at).toISOString());
      }
      const day = made.bookings[0]?.day ?? 0;
      const date = addDays(made.from, Math.max(0, day));
      const today = (await person.get(`${base}/today?date=${date}`)).text;
      assert.deepEqual(
        [...today.matchAll(/class="bays[^"]*">(\d+) of/g)].map(([, used]) => Number(used)),
        hours.filter(({ at }) => dateAt(at, timezone) === date).map(({ used }) => used),
      );
    }),
    { numRuns: 12 },
  );
});

test('an hour shows all that begin in it; of a busy week fewer, and never less than three', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60), { minLength: 1, maxLength: 84 }), (counts) => {
      const atMost = shownInHour(counts);
      const shown = (most: number) => counts.reduce((sum, count) => sum + Math.min(count, most), 0);
      assert.ok(atMost >= 3);
      assert.ok(atMost === 3 || shown(atMost) <= 300);
      if (shown(Math.max(...counts)) <= 300) assert.equal(shown(atMost), shown(60));
    }),
  );
});
