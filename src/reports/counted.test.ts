/** A report equals counting the rows: in any zone, over daylight saving, by any group, and while bookings are being made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Queryable } from '#db/database.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import { type Counts, countsBy } from './counts.ts';
import { readPartnerReport } from './read.ts';
import { groupings } from './schema.ts';
import { readCounts } from './store.ts';

const app = await startTestApp();
const { db } = app.context;
const partner = await signedInPartner(app);
const other = await signedInPartner(app, 'Another Partner');
const { partnerId } = partner;
const workshops = [await linkedWorkshop(app, [partner, other]), await linkedWorkshop(app, [partner, other])];

const zones = [
  ...['UTC', 'Australia/Melbourne', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Kathmandu'],
  ...[
    'America/St_Johns',
    'America/Santiago',
    'Asia/Beirut',
    'Africa/Casablanca',
    'America/Nuuk',
    'Pacific/Kiritimati',
  ],
];

/** Instants around midnights and changes of clocks, to the millisecond, where a mistake would show. */
function instants(): Date[] {
  const found: number[] = [];
  for (const [index, zone] of zones.entries()) {
    let at = Temporal.ZonedDateTime.from({ year: 2027, month: 1, day: 1 + index, timeZone: zone });
    for (let n = 0; n < 4; n++) {
      const next = at.getTimeZoneTransition('next') ?? at.add({ months: 5, days: 3 });
      if (next.year > 2028) break;
      const midnight = next.startOfDay();
      for (const edge of [next, midnight, midnight.add({ days: 1 })])
        found.push(...[-3_600_001, -1, 0, 1_800_000].map((ms) => edge.epochMilliseconds + ms));
      at = next;
    }
  }
  return found.map((ms) => new Date(ms));
}
const times = instants();
const statuses = ['pending', 'confirmed', 'completed', 'cancelled'];
const states = ['accepted', 'delivered', 'undelivered', 'expired', 'failed', 'unknown', 'sending'];

/** Copies of one booking and one message of each partner at each workshop, at those instants. */
async function fill(): Promise<void> {
  for (const by of [partner, other]) {
    for (const [n, workshopId] of workshops.entries()) {
      const made = await by.call('POST', '/bookings', bookingBody(workshopId));
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const sent = await by.call('POST', `/workshops/${workshopId}/messages`, {
        ...{ phone: '0491570006', channels: { sms: { message: 'x' } } },
      });
      const { customerId, carId } = made.body.booking;
      const share = times.filter((_, index) => (by === partner ? index % 3 >= n : index % 5 === 0));
      await db.query(
        `INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, status, contact_name, contact_email,
                              contact_phone, created_at, updated_at)
         SELECT gen_random_uuid(), gen_random_uuid()::text, $1, $2, $3, $4, at, ($6::text[])[1 + n % 4], 'S', 's@t.example', '+61491570006', at, at
           FROM unnest($5::timestamptz[]) WITH ORDINALITY AS made (at, n)`,
        [by.partnerId, workshopId, customerId, carId, share, statuses],
      );
      await db.query(
        `INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, kind, recipient, body, encoding, segments,
                              state, handed_over_at, created_at, updated_at)
         SELECT gen_random_uuid(), m.workshop_id, m.conversation_id, m.customer_id, m.partner_id, way.direction, way.kind, m.recipient, m.body,
                m.encoding, (1 + n % 3)::int, CASE way.direction WHEN 'inbound' THEN 'received' ELSE ($3::text[])[1 + n % 7] END,
                CASE WHEN n % 2 = 0 THEN at END, at, at
           FROM message m CROSS JOIN unnest($2::timestamptz[]) WITH ORDINALITY AS made (at, n)
           JOIN (VALUES ('inbound', 'inbound', true), ('outbound', 'partnerMessage', false)) AS way (direction, kind, is_inbound)
             ON is_inbound = (n % 4 = 0)
          WHERE m.id = $1`,
        [sent.body.sms.messageId, share, states],
      );
    }
  }
}
await fill();

interface Stored {
  readonly at: Date;
  readonly workshopId: string;
  readonly state: string;
  readonly isInbound: boolean;
  readonly handedOver: boolean;
  /** Of a message only. */
  readonly segments?: number;
}
const rowsOf = (sql: string) => db.query<Stored>(sql, [partnerId]);
const bookings = await rowsOf(
  `SELECT created_at AS at, workshop_id AS "workshopId", status AS state FROM booking WHERE partner_id = $1`,
);
const messages = await rowsOf(
  `SELECT created_at AS at, workshop_id AS "workshopId", state, direction = 'inbound' AS "isInbound",
          handed_over_at IS NOT NULL AS "handedOver", segments FROM message WHERE partner_id = $1`,
);

/** Row by row. */
function counted(rows: readonly Stored[]): Counts {
  const made = rows.filter(({ segments }) => segments === undefined);
  const texts = rows.filter(({ segments }) => segments !== undefined);
  const inState = (state: string) => made.filter((row) => row.state === state).length;
  const sent = texts.filter(
    ({ state, isInbound, handedOver }) =>
      !isInbound &&
      (['accepted', 'delivered', 'undelivered'].includes(state) || (state === 'expired' && handedOver)),
  );
  const found: Partial<Counts> = {
    bookingsCreated: made.length,
    bookingsPending: inState('pending'),
    bookingsConfirmed: inState('confirmed'),
    bookingsCompleted: inState('completed'),
    bookingsCancelled: inState('cancelled'),
    messagesSent: sent.length,
    messagesDelivered: texts.filter(({ state }) => state === 'delivered').length,
    messagesFailed: texts.filter(({ state }) => ['failed', 'undelivered', 'expired'].includes(state)).length,
    messagesReceived: texts.filter(({ isInbound }) => isInbound).length,
    smsSegments: sent.reduce((sum, { segments }) => sum + (segments ?? 0), 0),
  };
  return countsBy((name) => found[name] ?? 0);
}

const formats = new Map(
  zones.map((zone) => [zone, new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })]),
);
const dates = new Map(
  zones.map((zone) => [
    zone,
    new Map([...bookings, ...messages].map((row) => [row, formats.get(zone)?.format(row.at) ?? ''])),
  ]),
);
/** By the calendar of Intl, and not of Temporal. */
const dateOf = (row: Stored, zone: string) => dates.get(zone)?.get(row) ?? '';

/** The week belongs to the year of its Thursday. */
function weekOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * 86_400_000);
  const year = thursday.getUTCFullYear();
  const number = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000));
  return `${year}-W${String(number).padStart(2, '0')}`;
}

test('a report equals counting row by row, whatever the dates, the zone and the groups', async () => {
  const anything = fc.record({
    zone: fc.constantFrom(...zones),
    start: fc.nat({ max: 700 }),
    days: fc.oneof(fc.nat({ max: 8 }), fc.constant(365)),
    groupBy: fc.option(fc.constantFrom(...groupings), { nil: undefined }),
    workshopId: fc.option(fc.constantFrom(...workshops), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(anything, async ({ zone, start, days, groupBy, workshopId }) => {
      const [from, to] = [start, start + days].map((n) =>
        new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10),
      );
      const query = { from: from ?? '', to: to ?? '', timezone: zone };
      const { groups, totals } = await readPartnerReport({ db }, partnerId, {
        ...query,
        ...(groupBy === undefined ? {} : { groupBy }),
        ...(workshopId === undefined ? {} : { workshopId }),
      });
      const isIn = (row: Stored) => {
        const date = dateOf(row, zone);
        return (
          date >= query.from &&
          date <= query.to &&
          (workshopId === undefined || row.workshopId === workshopId)
        );
      };
      const keyOf = (row: Stored) => {
        const date = dateOf(row, zone);
        if (groupBy === undefined) return 'total';
        return { day: date, week: weekOf(date), month: date.slice(0, 7), workshop: row.workshopId }[groupBy];
      };
      const rows = [...bookings, ...messages].filter(isIn);
      const found = Map.groupBy(rows, keyOf);
      for (const { key, ...counts } of groups)
        assert.deepEqual(counts, counted(found.get(key) ?? []), `${zone} ${key}`);
      assert.deepEqual(totals, counted(rows));
    }),
    { numRuns: 30 },
  );
});

test('exact at any moment: what was answered is counted, and never half of it', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  const today = new Date().toISOString().slice(0, 10);
  const [from, to] = [-1, 1].map((days) => Temporal.PlainDate.from(today).add({ days }).toString());
  let answered = 0;
  async function write(): Promise<void> {
    for (let n = 0; n < 6; n++) {
      const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
      answered++;
      if (n % 2 === 0) await partner.call('POST', `/bookings/${body.booking.id}/confirmed`);
    }
  }
  let isDone = false;
  async function watch(): Promise<number> {
    let reports = 0;
    for (; !isDone; reports++) {
      const before = answered;
      const { body } = await partner.call(
        'GET',
        `/reports/partner?from=${from}&to=${to}&workshopId=${workshopId}`,
      );
      const { bookingsCreated, bookingsPending, bookingsConfirmed } = body.totals;
      assert.ok(bookingsCreated >= before, `${bookingsCreated} of ${before}`);
      assert.equal(bookingsPending + bookingsConfirmed, bookingsCreated);
    }
    return reports;
  }
  const [reports] = await Promise.all([
    watch(),
    Promise.all([write(), write(), write()]).then(() => {
      isDone = true;
    }),
  ]);
  assert.ok(reports > 0);
});

test('bookings are counted in an index-only scan, messages by their index, also by a plan that is kept', async () => {
  await db.query('VACUUM ANALYZE booking');
  await db.query('VACUUM ANALYZE message');
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    for (const by of ['period', 'workshop'] as const) {
      const plan = await db.transaction(async (tx) => {
        await tx.query(`SELECT set_config('plan_cache_mode', $1, true)`, [mode]);
        const explain: Queryable = { query: (text, values) => tx.query(`EXPLAIN ${text}`, values) };
        const spans = [{ since: new Date('2027-01-01'), until: new Date('2028-01-01') }];
        return JSON.stringify(await readCounts(explain, by, { partnerId, workshopId: null, spans }));
      });
      assert.match(plan, /Index Only Scan using booking_report/, mode);
      assert.match(plan, /using message_report|on message_report/, mode);
    }
  }
});
