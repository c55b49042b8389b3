/** Long because its two PostgreSQL are started once for all of it: reads that may be old, where one follows the other (docs/operations/cluster.md, Reading from a replica). */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { beforeEach, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { dateAt } from '#base/values/local-day.ts';
import { exportParts } from '#operation/export/export-customer.ts';
import type { Queryable } from '#platform/db/database.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { followReplica } from '#platform/db/replica/follow.ts';
import { readOld, tenSeconds } from '#platform/db/replica/read-old.ts';
import { openReplica, type Replica } from '#platform/db/replica/replica.ts';
import { inSnapshotOf } from '#platform/db/replica/snapshot.ts';
import { json, runHere, succeed } from './command-line/run.ts';
import { byPort } from './fixtures/database-socket.ts';
import { baseOf, browser, signedInPerson } from './fixtures/office.ts';
import { startTestApp } from './harness/app.ts';
import { atEnd } from './harness/clean-up.ts';
import { createTestDatabase } from './harness/database.ts';
import { testLog } from './harness/log.ts';
import { startReplicated } from './harness/replicated.ts';
import { until } from './harness/wait.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from './harness/world.ts';

const pair = await startReplicated();
const { db } = pair.database;

/** The time by which replicas are judged here: it stands still on a busy machine, too. */
let nowMs = 0;
function replicaAt(url: string, primary: Queryable = db, now = () => nowMs): Replica {
  const opened = openReplica({ url, primary, log: testLog(), applicationName: 'test replica', now });
  atEnd(opened.close);
  return opened;
}

const replica = replicaAt(pair.replicaUrl);
const app = await startTestApp({ database: pair.database, replica });
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const base = await baseOf(app, workshopId);
const owner = await signedInPerson(app, [workshopId]);

/** The replica has everything, and is known to. */
async function makeFresh(): Promise<void> {
  await pair.resume();
  // What was reached before is older than anything that is kept.
  nowMs += 60_000;
  // A look that takes a busy machine over two seconds counts for nothing, as it should.
  await until('the replica is used', async () => {
    await replica.look();
    await pair.untilEqual();
    await replica.look();
    return replica.seen().state === 'used';
  });
}

beforeEach(makeFresh);

/** What of the outcomes was counted meanwhile. */
async function counted(work: () => Promise<unknown>) {
  const before = { ...replica.counts };
  await work();
  return Object.fromEntries(
    Object.entries(replica.counts)
      .map(([outcome, count]) => [outcome, count - before[outcome as keyof typeof before]] as const)
      .filter(([, count]) => count > 0),
  );
}

const dayFromNow = (days: number) =>
  dateAt(app.clock.now().getTime() + days * 86_400_000, 'Australia/Melbourne');
const noonOf = (date: string) => `${date}T02:00:00Z`;

let phones = 0;
/** A booking on that day, at noon or so; days that are over take none of the API. */
async function bookOn(date: string): Promise<{ rego: string; customerId: string }> {
  const rego = `RPL${100 + phones}`;
  const who = { carRego: rego, customerPhone: `+6149157${6000 + phones++}` };
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId, who));
  const [row] = await db.query<{ customerId: string }>(
    'UPDATE booking SET date = $2 WHERE id = $1 RETURNING customer_id',
    [body.booking.id, noonOf(date)],
  );
  assert.ok(row);
  return { rego, ...row };
}

const reported = async () => {
  const day = dayFromNow(0);
  const query = `from=${day}&to=${day}&timezone=Australia/Melbourne`;
  const { status, body } = await partner.call('GET', `/reports/partner?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.totals.bookingsCreated as number;
};

test('a partner report is of the replica while it is at most 10 s behind, and of the primary from then on, looked at again or not', async () => {
  const before = await reported();
  await pair.pause();
  await bookOn(dayFromNow(0));
  nowMs += 9_000;
  await replica.look();
  assert.equal(replica.seen().state, 'used');
  assert.equal(replica.seen().ageMs, 9_000);
  assert.deepEqual(await counted(async () => assert.equal(await reported(), before)), { replica: 1 });

  nowMs += 2_000;
  assert.deepEqual(await counted(async () => assert.equal(await reported(), before + 1)), { tooOld: 1 });
  await replica.look();
  assert.equal(replica.seen().state, 'lagging');
  assert.deepEqual(await counted(async () => assert.equal(await reported(), before + 1)), { unused: 1 });

  // It catches up.
  await pair.resume();
  await pair.untilEqual();
  await replica.look();
  assert.deepEqual(await counted(async () => assert.equal(await reported(), before + 1)), { replica: 1 });
});

test('a primary to which nothing happens makes no replica old', async () => {
  for (let seconds = 0; seconds < 30; seconds += 5) {
    nowMs += 5_000;
    await pair.untilEqual();
    await replica.look();
    assert.equal(replica.seen().state, 'used');
  }
});

test('one that is not looked at is not read', async () => {
  nowMs += 11_000;
  assert.deepEqual(await counted(reported), { tooOld: 1 });
});

test('which workshops a partner may ask about, and who may see a page, is never old', async () => {
  const elsewhere = await linkedWorkshop(app, []);
  const person = await signedInPerson(app, [workshopId]);
  await makeFresh();
  await pair.pause();
  const day = dayFromNow(0);
  const ask = () => partner.call('GET', `/reports/partner?from=${day}&to=${day}&workshopId=${elsewhere}`);
  assert.equal((await ask()).status, 404);
  await db.query(
    `INSERT INTO link (partner_id, workshop_id, active, created_at)
     SELECT partner_id, $1, active, created_at FROM link WHERE workshop_id = $2`,
    [elsewhere, workshopId],
  );
  assert.equal((await ask()).status, 200);
  const report = `${base}/report`;
  assert.equal((await person.get(report)).status, 200);
  await db.query(`UPDATE membership SET role = 'technician' WHERE person_id = $1`, [person.personId]);
  assert.equal((await person.get(report)).status, 403);
  await db.query('DELETE FROM session WHERE person_id = $1', [person.personId]);
  assert.equal((await person.get(report)).status, 303);
});

test("the workshop's report, as a page and as CSV, is of the replica", async () => {
  await pair.pause();
  const outcomes = await counted(async () => {
    assert.equal((await owner.get(`${base}/report`)).status, 200);
    assert.equal((await owner.get(`${base}/report/csv`)).status, 200);
  });
  assert.deepEqual(outcomes, { replica: 2 });
});

test('days before yesterday are of the replica, at most 4 s old; yesterday, today and weeks that reach them are not', async () => {
  const [past, yesterday, today] = [-3, -1, 0].map(dayFromNow) as [string, string, string];
  await pair.pause();
  const [onPast, onYesterday, onToday] = [await bookOn(past), await bookOn(yesterday), await bookOn(today)];
  const shows = async (path: string, { rego }: { rego: string }) =>
    (await owner.get(`${base}/${path}`)).text.includes(rego);
  const ofReplica = [`today?date=${past}`, `week?from=${dayFromNow(-8)}`, `print?date=${past}`];
  const long = `print?from=${dayFromNow(-9)}`;
  for (const path of [...ofReplica, long]) {
    assert.equal(await shows(path, onPast), false, path);
    assert.match(
      (await counted(() => owner.get(`${base}/${path}`)))['replica']?.toString() ?? '',
      /^[12]$/,
      path,
    );
  }
  assert.equal(await shows(`today?date=${yesterday}`, onYesterday), true);
  assert.equal(await shows(`today?date=${today}`, onToday), true);
  assert.equal(await shows('today', onToday), true);
  // Its last day is yesterday.
  assert.equal(await shows(`week?from=${dayFromNow(-7)}`, onPast), true);
  assert.equal(await shows(`print?from=${dayFromNow(-7)}`, onPast), true);

  nowMs += 5_000;
  await replica.look();
  for (const path of ofReplica) assert.equal(await shows(path, onPast), true, path);
  assert.deepEqual(await counted(() => owner.get(`${base}/report`)), { replica: 1 });
});

test('a page of the replica says how old it may be, so that changes from before it are repeated to it', async () => {
  const behind = async (days: number, cookie = owner.cookie) =>
    / data-behind-ms="(\d+)"/.exec(
      (await browser(app, cookie).get(`${base}/today?date=${dayFromNow(days)}`)).text,
    )?.[1];
  assert.equal(await behind(-2), '4000');
  assert.equal(await behind(-1), undefined);
  assert.equal(await behind(-2, `${owner.cookie}; pitlane-changed=yes`), undefined);
});

test('a browser that has sent a form in the last 15 s, and a page that fetches itself after a change, read the primary', async () => {
  const date = dayFromNow(-4);
  const page = `${base}/today?date=${date}`;
  const first = await owner.get(page);
  assert.equal(first.headers.get('set-cookie'), null);
  await pair.pause();
  const sent = await owner.submit(page, `${base}/today/note`, { text: 'NOTED', date });
  assert.equal(sent.status, 303);
  assert.equal(
    sent.headers.get('set-cookie'),
    'pitlane-changed=yes; Path=/; Max-Age=15; HttpOnly; SameSite=Lax',
  );
  assert.doesNotMatch((await owner.get(page)).text, /NOTED/);
  const after = browser(app, `${owner.cookie}; pitlane-changed=yes`);
  assert.match((await after.get(page)).text, /NOTED/);
  const followed = await app.request('GET', page, {
    headers: { cookie: owner.cookie, 'pitlane-follows': 'yes' },
  });
  assert.match(followed.body, /NOTED/);
  assert.deepEqual(await counted(() => after.get(`${base}/report`)), {});

  // A form that was refused, and the heartbeat of an open page, have changed nothing.
  const refused = await owner.submit(page, `${base}/today/note`, { text: 'x'.repeat(10_000), date });
  assert.deepEqual([refused.status, refused.headers.get('set-cookie')], [422, null]);
  const { customerId } = await bookOn(dayFromNow(0));
  const conversation = newId();
  await db.query(
    'INSERT INTO conversation (id, workshop_id, customer_id, created_at) VALUES ($1, $2, $3, clock_timestamp())',
    [conversation, workshopId, customerId],
  );
  const here = { page: 'p'.repeat(16), number: '1', doing: 'looking', conversation };
  const beat = await owner.post(`${base}/inbox/presence`, here);
  assert.deepEqual([beat.status, beat.headers.get('set-cookie')], [200, null]);
});

test("a customer's export is of the replica; whose customer it is, of the primary", async () => {
  const { customerId } = await bookOn(dayFromNow(0));
  const unknown = await linkedWorkshop(app, [], { name: 'Other' });
  const names = async () => {
    const parts = exportParts(app.context, { workshopId, customerId });
    for await (const { section, rows } of parts) if (section.name === 'customer') return rows[0]?.['name'];
    return undefined;
  };
  await makeFresh();
  await pair.pause();
  await db.query(`UPDATE customer SET name = 'Renamed' WHERE id = $1`, [customerId]);
  assert.notEqual(await names(), 'Renamed');
  nowMs += 11_000;
  assert.equal(await names(), 'Renamed');
  const parts = (of: string, at: string) => exportParts(app.context, { workshopId: at, customerId: of });
  await makeFresh();
  await pair.pause();
  // The replica has no row of somebody who is younger.
  const young = await parts((await bookOn(dayFromNow(0))).customerId, workshopId).next();
  assert.deepEqual([young.done, young.done ? null : young.value.rows], [false, []]);
  await assert.rejects(parts(customerId, unknown).next(), { status: 404 });
});

test('nothing is written there, by a statement that would write neither', async () => {
  const write = (to: Queryable) => to.query('UPDATE write_probe SET written_at = clock_timestamp()');
  assert.deepEqual(await counted(async () => assert.equal(await replica.read(tenSeconds, write), null)), {
    failed: 1,
  });
  // One that becomes the primary meanwhile takes none either, and shows one moment.
  const anywhere = { withinMs: 5_000, admitWithinMs: 5_000, admit: async () => undefined };
  await assert.rejects(inSnapshotOf(db.pool, anywhere, write), DatabaseUnavailable);
  const level = (tx: Queryable) => tx.query(`SELECT current_setting('transaction_isolation') AS level`);
  assert.deepEqual((await replica.read(tenSeconds, level))?.value, [{ level: 'repeatable read' }]);
});

test('what fails there is read on the primary: a conflict with what the primary has replayed there, and a statement that takes too long', async () => {
  await db.query('CREATE TABLE conflict_here (n integer)');
  await makeFresh();
  const isStandby = async (old: Queryable) => {
    const [row] = await old.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    return row?.standby;
  };
  let runs = 0;
  const outcomes = await counted(async () => {
    const standby = await readOld(app.context, tenSeconds, async (old) => {
      await old.query('SELECT n FROM conflict_here');
      if (runs++ === 0) {
        await db.query('DROP TABLE conflict_here');
        await db.query('CREATE TABLE conflict_here (n integer)');
        await pair.untilEqual();
      }
      return isStandby(old);
    });
    assert.equal(standby, false);
  });
  assert.deepEqual([outcomes, runs], [{ failed: 1 }, 2]);

  const slow = (old: Queryable) => old.query('SELECT pg_sleep(30)');
  const startedMs = performance.now();
  assert.equal(await replica.read({ maxAgeMs: 10_000, withinMs: 200 }, slow), null);
  assert.ok(performance.now() - startedMs < 3_000);
  const left = `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(30)' AND state = 'active'`;
  // The server cancels it by a clock of its own, which may be a little behind this one.
  await until(
    'it has ended there too',
    async () => (await pair.replicaAdmin.pool.query(left)).rowCount === 0,
  );
  assert.equal(await readOld(app.context, tenSeconds, isStandby), true);
});

test('more reads at once than it has connections for are made on the primary, and the look still finds one', async () => {
  let release: () => void = () => assert.fail();
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const outcomes = await counted(async () => {
    const reads = Array.from({ length: 8 }, () => replica.read(tenSeconds, () => held));
    await replica.look();
    assert.equal(replica.seen().state, 'used');
    release();
    await Promise.all(reads);
  });
  assert.deepEqual(outcomes, { replica: 5, busy: 3 });
});

test('the primary itself, another installation and one that never answers are not read', async () => {
  const known = async (url: string, primary?: Queryable) => {
    const other = replicaAt(url, primary);
    for (let looks = 0; looks < 3; looks++) await other.look();
    assert.equal(await other.read(tenSeconds, async () => 'read'), null);
    return other.seen().state;
  };
  assert.equal(await known(pair.database.url), 'notReplica');
  assert.equal(await known(pair.replicaUrl, (await createTestDatabase()).db), 'otherInstallation');
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const startedMs = performance.now();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dead = replicaAt(byPort(pair.database.url, port));
  await dead.look();
  assert.equal(dead.seen().state, 'gone');
  assert.ok(performance.now() - startedMs < 2_500);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('status, doctor and metrics say whether it is used', async () => {
  const env = (url: string) => ({ DATABASE_URL: pair.database.url, DATABASE_REPLICA_URL: url });
  const { stdout } = await succeed(['status'], env(pair.replicaUrl));
  assert.match(stdout, /\nreplica +\S+, used \(at most [\d.]+ s old\)\n/);
  const itself = await json(['status'], env(pair.database.url));
  assert.deepEqual([itself.replica.state, itself.replica.ageSeconds], ['notReplica', null]);
  const doctor = async (url: string) => JSON.parse((await runHere(['doctor', '--json'], env(url))).stdout);
  const kinds = (examined: { findings: readonly { kind: string; message: string }[] }) =>
    examined.findings.filter(({ kind }) => kind === 'replica').map(({ message }) => message);
  assert.deepEqual(kinds(await doctor(pair.replicaUrl)), []);
  assert.match(kinds(await doctor(pair.database.url)).join(), /NOT USED: it is no replica/);
  const { body } = await app.request('GET', '/metrics');
  assert.match(body, /^pitlane_replica_used 1$/m);
  assert.match(body, /^pitlane_replica_age_seconds \d/m);
  assert.match(body, /^pitlane_replica_reads_total\{outcome="replica"\} [1-9]/m);
});

test('one that stops is left out at once, and is read again when it is back: the loop finds both', async (t) => {
  const looked = replicaAt(pair.replicaUrl, db, () => performance.now());
  const stop = followReplica(looked);
  t.after(stop);
  const becomes = (state: string) => until(`it is ${state}`, () => looked.seen().state === state);
  await becomes('used');
  await pair.stopReplica();
  const outcomes = await counted(async () => assert.ok((await reported()) >= 0));
  assert.deepEqual(outcomes, { failed: 1 });
  await becomes('gone');
  await pair.startReplica();
  await becomes('used');
  await stop();
});
