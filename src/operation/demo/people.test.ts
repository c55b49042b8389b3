/** The demo's address signs its owner in: once, within ten minutes, by a button, on a machine of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateAt, localDay } from '#base/values/local-day.ts';
import { dayAtMost, readDay } from '#product/bookings/staff/day/store.ts';
import { readWorkshopReport } from '#product/reports/workshop/read.ts';
import { browser } from '../../../test/fixtures/office.ts';
import { visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { examine } from '../doctor/examine.ts';
import { demoWorkshops } from './data.ts';
import { ensureDemoDay } from './day.ts';
import { ensureDemo } from './demo.ts';
import { demoSignInPath, demoStaff, ensureDemoStaff } from './people.ts';

const app = await startTestApp();
const { context } = app;
await ensureDemo(context);
for (let start = 0; start < 2; start++) await ensureDemoStaff(context);
const printed = async () => (await demoSignInPath(context.db)) ?? assert.fail();
/** Without what comes after the sign-in. */
const path = async () => (await printed()).split('?')[0] ?? assert.fail();

test('opening it changes nothing; its button signs in as the owner, once', async () => {
  const once = await path();
  assert.match(once, /^\/console\/sign-in\/demo\/[\w-]{43}$/);
  for (let n = 0; n < 2; n++) {
    const { status, text, headers } = await browser(app, '').get(once);
    assert.deepEqual([status, headers.getSetCookie()], [200, []]);
    assert.match(
      text,
      new RegExp(`<form method="post" action="${once}">.*<button class="button primary">Sign in</button>`),
    );
  }
  const at = visit(app);
  const { status, location } = await at.post(once);
  assert.deepEqual([status, location], [303, '/console']);
  assert.match((await at.get('/console')).location ?? '', /^\/console\/w\//);
  assert.match((await at.get('/console/me')).text, new RegExp(demoStaff[0]?.name ?? ''));
  assert.equal((await visit(app).post(once)).status, 403);
  const [row] = await context.db.query<{ row: string }>(
    'SELECT sign_in_address::text AS row FROM sign_in_address',
  );
  assert.equal(row, undefined);
});

test('it leads to the workshop that it was printed for, whichever the owner used last (specification: People and their sign-in 23)', async () => {
  const [home, other] = demoWorkshops;
  const once = await printed();
  await context.db.query('UPDATE person SET last_workshop_id = $1 WHERE email = $2', [
    ...[other?.id, demoStaff[0]?.email],
  ]);
  const { text } = await browser(app, '').get(once);
  const today = `/console/w/${home?.settings.slug}/today`;
  assert.match(text, new RegExp(`<input type="hidden" name="next" value="${today}">`));
  const { location } = await visit(app).post(once.split('?')[0] ?? '', { next: today });
  assert.equal(location, today);
  const elsewhere = await path();
  const away = await visit(app).post(elsewhere, { next: 'https://other.example/' });
  assert.equal(away.location, '/console');
});

test('ten minutes; and none that was never printed', async () => {
  const late = await path();
  await context.db.query(`UPDATE sign_in_address SET expires_at = clock_timestamp()`);
  assert.equal((await visit(app).post(late)).status, 403);
  assert.equal((await visit(app).post(`/console/sign-in/demo/${'A'.repeat(43)}`)).status, 403);
  assert.equal((await browser(app, '').get('/console/sign-in/demo/x')).status, 404);
});

test('refused on an address that others can reach, and by forms of other sites', async () => {
  const once = await path();
  const open = await startTestApp({ config: { host: '0.0.0.0' }, open: async () => context.db });
  assert.equal((await visit(open).post(once)).status, 403);
  assert.equal((await browser(open, '').get(once)).status, 403);
  assert.equal((await visit(app, { 'sec-fetch-site': 'cross-site' }).post(once)).status, 403);
  assert.equal((await visit(app).post(once)).status, 303, 'none of these used it up');
});

test('the demo has one person of each role, and nobody is told by e-mail twice', async () => {
  const people = await context.db.query<{ email: string }>('SELECT email FROM person ORDER BY email');
  assert.deepEqual(
    people.map(({ email }) => email),
    demoStaff.map(({ email }) => email).sort(),
  );
});

test('its first workshop is at work: today in all states, what waits in every place, weeks before and a week ahead, made once', async () => {
  app.sms.always('+61491570156', {
    state: 'refused',
    permanent: true,
    reason: 'refused',
    detail: 'as the sandbox does',
  });
  for (let start = 0; start < 2; start++) await ensureDemoDay(context);
  expectErrors(/a message is given up/);
  await app.drain();
  const [{ id, settings }] = demoWorkshops;
  const bookings = await context.db.query<{
    status: string;
    isToday: boolean;
    isLate: boolean;
    partner: string | null;
  }>(
    `SELECT status, partner_id AS partner, (date AT TIME ZONE $2)::date = ($3::timestamptz AT TIME ZONE $2)::date AS is_today,
            status = 'confirmed' AND date < $3::timestamptz AS is_late
       FROM booking WHERE workshop_id = $1 AND (date AT TIME ZONE $2)::date = ($3::timestamptz AT TIME ZONE $2)::date`,
    [id, settings.timezone, context.clock.now()],
  );
  assert.equal(bookings.length, 15, 'made once');
  assert.equal((await examine(context, { repair: false })).found, 0);
  assert.ok(bookings.every(({ isToday, partner }) => isToday && partner === null));
  assert.ok(bookings.some(({ isLate }) => isLate));
  assert.deepEqual([...new Set(bookings.map(({ status }) => status))].sort(), [
    'cancelled',
    'completed',
    'confirmed',
    'pending',
  ]);
  const others = await context.db.query(
    `SELECT (SELECT count(*)::int FROM quote WHERE status = 'requested') AS quotes,
            (SELECT count(*)::int FROM call_lead WHERE outcome = 'missed') AS calls,
            (SELECT count(*)::int FROM message WHERE direction = 'inbound' AND conversation_id IS NOT NULL) AS answers,
            (SELECT count(*)::int FROM message WHERE kind = 'reply' AND state = 'failed') AS failed`,
  );
  assert.deepEqual(others, [{ quotes: 1, calls: 1, answers: 4, failed: 1 }]);
  const inPlaces = await context.db.query(
    `SELECT (SELECT count(*)::int FROM message_attachment WHERE state = 'stored') AS pictures,
            (SELECT count(*)::int FROM talk_note) AS notes,
            (SELECT count(*)::int FROM talk WHERE assigned_to IS NOT NULL) AS assigned,
            (SELECT count(*)::int FROM service_reminder WHERE status = 'scheduled') AS due,
            (SELECT count(*)::int FROM quote WHERE status = 'quoted') AS offers`,
  );
  assert.deepEqual(inPlaces, [{ pictures: 1, notes: 1, assigned: 1, due: 2, offers: 1 }]);
  const now = context.clock.now();
  const day = (days: number) => dateAt(now.getTime() + days * 86_400_000, settings.timezone);
  const report = await readWorkshopReport(
    context,
    { workshopId: id, timezone: settings.timezone },
    { from: day(-55), to: day(6), by: 'week', now },
  );
  // The first period may be a Sunday alone.
  for (const { bookings, dates } of report.periods)
    if (dates.from !== dates.to) assert.ok(bookings.bookings > 0, dates.from);
  const { bookings: all, quotes, texts } = report.totals;
  assert.ok(all.bookings > 200 && all.notCome > 5 && quotes.won > 5 && texts.messagesDelivered > 200);
});

test('made once also late in the evening, when none of its bookings keeps a bay; after midnight the next day is made', async () => {
  const [{ id, settings }] = demoWorkshops;
  const own = await startTestApp();
  await ensureDemo(own.context);
  const todayAt = () => localDay(dateAt(own.clock.now().getTime(), settings.timezone), settings.timezone);
  own.pass((todayAt().end - own.clock.now().getTime()) / 1000 - 600);
  const madeToday = async () => {
    for (let start = 0; start < 2; start++) await ensureDemoDay(own.context);
    const bookings = await readDay(own.context.db, id, todayAt(), dayAtMost);
    return bookings.filter(({ customer }) => customer === 'Ruby Foster').length;
  };
  assert.equal(await madeToday(), 1);
  own.pass(1200);
  assert.equal(await madeToday(), 1);
});
