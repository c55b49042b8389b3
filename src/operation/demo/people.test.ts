/** The demo's address signs its owner in: once, within ten minutes, by a button, on a machine of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser } from '../../../test/fixtures/office.ts';
import { visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { demoWorkshops } from './data.ts';
import { ensureDemoDay } from './day.ts';
import { ensureDemo } from './demo.ts';
import { demoSignInPath, demoStaff, ensureDemoStaff } from './people.ts';

const app = await startTestApp();
const { context } = app;
await ensureDemo(context);
for (let start = 0; start < 2; start++) await ensureDemoStaff(context);
const path = async () => (await demoSignInPath(context.db)) ?? assert.fail();

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

test('its first workshop is at work: bookings of today in all states, a late one, a quote, a missed call, a failed text', async () => {
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
       FROM booking WHERE workshop_id = $1`,
    [id, settings.timezone, context.clock.now()],
  );
  assert.equal(bookings.length, 15, 'made once');
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
  assert.deepEqual(others, [{ quotes: 1, calls: 1, answers: 2, failed: 1 }]);
});
