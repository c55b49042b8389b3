/**
 * The report of a workshop equals counting row by row: in any zone, across daylight saving, with any period; rows of other
 * workshops do not count.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Queryable } from '#platform/db/database.ts';
import { explain } from '../../../../test/fixtures/explain.ts';
import { fillReportRows, zones } from '../../../../test/fixtures/report-rows.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { datesBefore, type PeriodName } from '../periods.ts';
import type { Numbers } from './read.ts';
import { readWorkshopReport } from './read.ts';
import { countWorkshop } from './store.ts';

const app = await startTestApp();
const { db } = app.context;
const partners = [await signedInPartner(app, 'One'), await signedInPartner(app, 'Two')];
const workshops = [await linkedWorkshop(app, partners), await linkedWorkshop(app, partners)] as const;
await fillReportRows(db, partners, workshops);

const some = (table: string, of: number, rest: number) =>
  `(SELECT id FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM ${table}) AS numbered WHERE n % ${of} = ${rest})`;
await db.query(`UPDATE booking SET partner_id = NULL WHERE id IN ${some('booking', 4, 1)}`);
await db.query(
  `INSERT INTO attendance (booking_id, state, actor, at) SELECT id, 'didNotCome', 'x', now() FROM booking WHERE id IN ${some('booking', 5, 2)}
    UNION ALL SELECT id, 'collected', 'x', now() FROM booking WHERE id IN ${some('booking', 5, 3)}`,
);
for (const [n, change] of [
  `status = 'declined'`,
  `status = 'declined', total = NULL, valid_until = NULL`,
  `status = 'expired'`,
  `status = 'requested', total = NULL, valid_until = NULL`,
  `total = 19.99`,
].entries())
  await db.query(`UPDATE quote SET ${change} WHERE status = 'quoted' AND id IN ${some('quote', 7, n)}`);
await db.query(
  `UPDATE message SET kind = 'bookingNotice', partner_id = NULL WHERE direction = 'outbound' AND id IN ${some('message', 3, 0)}`,
);
await db.query(
  `UPDATE message SET channel = 'email' WHERE kind = 'bookingNotice' AND id IN ${some('message', 9, 0)}`,
);

interface Stored {
  readonly at: Date;
  readonly workshopId: string;
  readonly group: string | null;
  readonly state: string;
}
const rowsOf = <Row extends Stored>(sql: string) => db.query<Row>(sql);
const bookings = await rowsOf<Stored & { cameNot: boolean }>(
  `SELECT date AS at, workshop_id, partner.name AS "group", booking.status AS state, coalesce(attendance.state = 'didNotCome', false) AS came_not
     FROM booking LEFT JOIN attendance ON booking_id = booking.id LEFT JOIN partner ON partner.id = partner_id`,
);
const quotes = await rowsOf<Stored & { total: string | null; validUntil: Date | null }>(
  `SELECT created_at AS at, workshop_id, NULL AS "group", status AS state, total, valid_until FROM quote`,
);
const texts = await rowsOf<Stored & { isInbound: boolean; handedOver: boolean; segments: number }>(
  `SELECT created_at AS at, workshop_id, kind AS "group", state, direction = 'inbound' AS is_inbound, handed_over_at IS NOT NULL AS handed_over,
          segments FROM message WHERE channel = 'sms'`,
);
const now = new Date('2027-10-03T00:00:00Z');

type Rows = {
  readonly bookings: typeof bookings;
  readonly quotes: typeof quotes;
  readonly texts: typeof texts;
};

/** Counted row by row, in cents. */
function counted(rows: Rows): Numbers {
  const states = (of: readonly Stored[], ...named: string[]) =>
    of.filter(({ state }) => named.includes(state)).length;
  const value = (of: Rows['quotes']) =>
    of.reduce((sum, { total }) => sum + Math.round(Number(total ?? 0) * 100), 0) / 100;
  const isOver = ({ state, validUntil }: Rows['quotes'][number]) =>
    state === 'expired' || (state === 'quoted' && validUntil !== null && validUntil <= now);
  const won = rows.quotes.filter(({ state }) => state === 'accepted');
  const sent = rows.texts.filter(
    ({ state, isInbound, handedOver }) =>
      !isInbound &&
      (['accepted', 'delivered', 'undelivered'].includes(state) || (state === 'expired' && handedOver)),
  );
  return {
    bookings: {
      bookings: rows.bookings.length,
      pending: states(rows.bookings, 'pending'),
      confirmed: states(rows.bookings, 'confirmed'),
      completed: states(rows.bookings, 'completed'),
      cancelled: states(rows.bookings, 'cancelled'),
      due: rows.bookings.filter(({ state, at, cameNot }) => cameNot || (state !== 'cancelled' && at < now))
        .length,
      notCome: rows.bookings.filter(({ cameNot }) => cameNot).length,
    },
    quotes: {
      asked: rows.quotes.length,
      priced: rows.quotes.filter(({ total }) => total !== null).length,
      pricedValue: value(rows.quotes),
      won: won.length,
      wonValue: value(won),
      lost: rows.quotes.filter(({ state, total }) => state === 'declined' && total !== null).length,
      expired: rows.quotes.filter(isOver).length,
      waiting: rows.quotes.filter((row) => ['requested', 'quoted'].includes(row.state) && !isOver(row))
        .length,
      turnedDown: rows.quotes.filter(({ state, total }) => state === 'declined' && total === null).length,
    },
    texts: {
      messagesSent: sent.length,
      messagesDelivered: states(rows.texts, 'delivered'),
      messagesFailed: states(rows.texts, 'failed', 'undelivered', 'expired'),
      messagesReceived: rows.texts.filter(({ isInbound }) => isInbound).length,
      smsSegments: sent.reduce((sum, { segments }) => sum + segments, 0),
    },
  };
}

/** By the calendar of Intl, not of Temporal. */
const formats = new Map(
  zones.map((zone) => [zone, new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })]),
);
const dateOf = (row: Stored, zone: string) => formats.get(zone)?.format(row.at) ?? '';

test('a report equals counting row by row, for any dates, zone, periods and workshop (specification: The report of a workshop 2, 3, 4 and 6)', async () => {
  const anything = fc.record({
    zone: fc.constantFrom(...zones),
    start: fc.nat({ max: 700 }),
    days: fc.oneof(fc.nat({ max: 40 }), fc.constant(399)),
    by: fc.constantFrom<PeriodName[]>('day', 'week', 'month'),
    workshopId: fc.constantFrom(...workshops),
  });
  await fc.assert(
    fc.asyncProperty(anything, async ({ zone, start, days, by, workshopId }) => {
      const dateAt = (n: number) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10);
      const dates = { from: dateAt(start), to: dateAt(start + days) };
      const report = await readWorkshopReport(
        { db, replica: null },
        { workshopId, timezone: zone },
        { ...dates, by, now },
      );
      const own = <Row extends Stored>(rows: readonly Row[]) =>
        rows.filter((row) => row.workshopId === workshopId).map((row) => ({ row, date: dateOf(row, zone) }));
      const mine = { bookings: own(bookings), quotes: own(quotes), texts: own(texts) };
      const within = ({ from, to }: { from: string; to: string }): Rows => {
        const pick = <Row>(rows: readonly { row: Row; date: string }[]) =>
          rows.flatMap(({ row, date }) => (date >= from && date <= to ? [row] : []));
        return { bookings: pick(mine.bookings), quotes: pick(mine.quotes), texts: pick(mine.texts) };
      };
      const settled = ({ quotes: of, ...rest }: Numbers): Numbers => ({
        ...rest,
        quotes: { ...of, pricedValue: cents(of.pricedValue), wonValue: cents(of.wonValue) },
      });
      const [rows, earlier] = [within(dates), within(datesBefore(dates))];
      assert.deepEqual(settled(report.totals), counted(rows));
      assert.deepEqual(settled(report.before), counted(earlier));
      for (const period of report.periods) {
        const { bookings: a, quotes: b, texts: c } = period;
        assert.deepEqual(
          settled({ bookings: a, quotes: b, texts: c }),
          counted(within(period.dates)),
          period.key,
        );
      }
      assert.equal(report.periods.at(0)?.dates.from, dates.from);
      assert.equal(report.periods.at(-1)?.dates.to, dates.to);
      const none = { bookings: [], quotes: [], texts: [] };
      for (const { partner, now: of, before } of report.sources) {
        const its = (all: Rows) =>
          counted({ ...none, bookings: all.bookings.filter(({ group }) => group === partner) }).bookings;
        assert.deepEqual([of, before], [its(rows), its(earlier)], String(partner));
      }
      for (const { kind, now: of, before } of report.kinds) {
        const its = (all: Rows) =>
          counted({ ...none, texts: all.texts.filter(({ group }) => group === kind) }).texts;
        assert.deepEqual([of, before], [its(rows), its(earlier)], kind);
      }
      assert.equal(
        report.sources.reduce((sum, each) => sum + each.now.bookings, 0),
        rows.bookings.length,
      );
    }),
    { numRuns: 20 },
  );
});

const cents = (value: number) => Math.round(value * 100) / 100;

test('each period is read by an index, also with cached plans', async () => {
  await db.query('VACUUM ANALYZE');
  const spans = [{ since: new Date('2027-01-01'), until: new Date('2027-02-01') }];
  for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
    const plans: string[] = [];
    const planned: Queryable = {
      query: (text, values = []) =>
        db.transaction(async (tx) => {
          plans.push(JSON.stringify(await explain(tx, { text, values }, mode, 'VERBOSE false')));
          return [];
        }),
    };
    await countWorkshop(planned, { workshopId: workshops[0], spans, now });
    const all = plans.join('\n');
    for (const index of [
      'Only Scan using booking_date',
      'Only Scan using attendance_not_come',
      '(?:using|on) quote_workshop_created',
      '(?:using|on) message_workshop_created',
    ])
      assert.match(all, new RegExp(index), `${mode}: ${all}`);
    assert.doesNotMatch(all, /Seq Scan/, `${mode}: ${all}`);
  }
});
