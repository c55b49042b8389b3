/** A report equals counting the rows: in any zone, across daylight saving, with any grouping, and while bookings are being made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Queryable } from '#platform/db/database.ts';
import { explain } from '../../../test/fixtures/explain.ts';
import { fillReportRows, zones } from '../../../test/fixtures/report-rows.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
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

await fillReportRows(db, [partner, other], workshops);

interface Stored {
  readonly kind: 'booking' | 'call' | 'quote' | 'reminder' | 'message';
  readonly at: Date;
  readonly workshopId: string;
  /** For a call: the phone. */
  readonly state: string;
  readonly isInbound: boolean;
  readonly handedOver: boolean;
  readonly segments: number;
}
const rowsOf = (sql: string) => db.query<Stored>(sql, [partnerId]);
const bookings = await rowsOf(
  `SELECT 'booking' AS kind, created_at AS at, workshop_id, status AS state FROM booking WHERE partner_id = $1`,
);
const calls = await rowsOf(
  `SELECT 'call' AS kind, called_at AS at, workshop_id, caller_phone AS state FROM call_lead WHERE partner_id = $1`,
);
const quotes = await rowsOf(
  `SELECT 'quote' AS kind, created_at AS at, workshop_id, status AS state FROM quote WHERE partner_id = $1`,
);
const reminders = await rowsOf(
  `SELECT 'reminder' AS kind, sent_at AS at, workshop_id, status AS state FROM service_reminder
    WHERE partner_id = $1 AND sent_at IS NOT NULL`,
);
const messages = await rowsOf(
  `SELECT 'message' AS kind, created_at AS at, workshop_id, state, direction = 'inbound' AS is_inbound,
          handed_over_at IS NOT NULL AS handed_over, segments FROM message WHERE partner_id = $1`,
);

/** Whether a booking followed within 30 days: all bookings are of the customer with this phone. */
function isBooked(call: Stored): boolean {
  const isSoon = (ms: number) => ms >= 0 && ms <= 30 * 86_400_000;
  return (
    call.state === '+61491570006' &&
    bookings.some(
      ({ at, workshopId }) => workshopId === call.workshopId && isSoon(Number(at) - Number(call.at)),
    )
  );
}

/** Row by row. */
function counted(rows: readonly Stored[]): Counts {
  const of = (kind: Stored['kind']) => rows.filter((row) => row.kind === kind);
  const [made, called, texts] = [of('booking'), of('call'), of('message')];
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
    callLeads: called.length,
    callLeadsBooked: called.filter(isBooked).length,
    quotesRequested: of('quote').length,
    quotesAccepted: of('quote').filter(({ state }) => state === 'accepted').length,
    remindersSent: of('reminder').length,
    remindersBooked: of('reminder').filter(({ state }) => state === 'booked').length,
    messagesSent: sent.length,
    messagesDelivered: texts.filter(({ state }) => state === 'delivered').length,
    messagesFailed: texts.filter(({ state }) => ['failed', 'undelivered', 'expired'].includes(state)).length,
    messagesReceived: texts.filter(({ isInbound }) => isInbound).length,
    smsSegments: sent.reduce((sum, { segments }) => sum + segments, 0),
  };
  return countsBy((name) => found[name] ?? 0);
}

const all = [...bookings, ...calls, ...quotes, ...reminders, ...messages];
const formats = new Map(
  zones.map((zone) => [zone, new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })]),
);
const dates = new Map(
  zones.map((zone) => [zone, new Map(all.map((row) => [row, formats.get(zone)?.format(row.at) ?? '']))]),
);
/** By the calendar of Intl, not of Temporal. */
const dateOf = (row: Stored, zone: string) => dates.get(zone)?.get(row) ?? '';

/** The week belongs to the year of its Thursday. */
function weekOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * 86_400_000);
  const year = thursday.getUTCFullYear();
  const number = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000));
  return `${year}-W${String(number).padStart(2, '0')}`;
}

test('a report equals counting row by row, for any dates, zone and grouping (specification: Partner report 2)', async () => {
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
      const { groups, totals } = await readPartnerReport({ db, replica: null }, partnerId, {
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
      const rows = all.filter(isIn);
      const found = Map.groupBy(rows, keyOf);
      for (const { key, ...counts } of groups)
        assert.deepEqual(counts, counted(found.get(key) ?? []), `${zone} ${key}`);
      assert.deepEqual(totals, counted(rows));
    }),
    { numRuns: 30 },
  );
});

test('exact at any moment: created bookings are counted, and never partly (specification: Partner report 2)', async () => {
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

test('bookings are counted in an index-only scan, the rest by indexes, also with cached plans', async () => {
  await db.query('VACUUM ANALYZE');
  for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
    for (const by of ['period', 'workshop'] as const) {
      const plan = await db.transaction(async (tx) => {
        const plans: Queryable = {
          query: (text, values = []) => explain(tx, { text, values }, mode, 'VERBOSE false'),
        };
        const spans = [{ since: new Date('2027-01-01'), until: new Date('2028-01-01') }];
        return JSON.stringify(await readCounts(plans, by, { partnerId, workshopId: null, spans }));
      });
      assert.match(plan, /Index Only Scan using booking_report/, mode);
      for (const index of ['message_report', 'quote_report', 'service_reminder_report', 'call_lead_called'])
        assert.match(plan, new RegExp(`(?:using|on) ${index}`), mode);
    }
  }
});
