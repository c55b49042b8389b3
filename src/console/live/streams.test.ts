/** How streams begin and end: with their session, at a stop, and not because the database is away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStream } from '../../../test/fixtures/event-stream.ts';
import { watchedWorkshop } from '../../../test/fixtures/live.ts';
import { fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { proxyTo } from '../../../test/fixtures/proxy.ts';
import { roundRobin } from '../../../test/fixtures/round-robin.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, workshopId, base, path, kim, opened, book } = await watchedWorkshop();
const { db } = app.context;

test('streams end with their session, the membership and the role that they began with; others stay (specification: The console 13)', async () => {
  const [ann, bob, cas, dan] = await Promise.all(
    Array.from({ length: 4 }, () => signedInPerson(app, [workshopId], 'adviser')),
  );
  assert.ok(ann && bob && cas && dan);
  const [anns, bobs, cass, dans, kims] = await Promise.all(
    [ann, bob, cas, dan, kim].map((person) => opened(person)),
  );
  assert.ok(anns && bobs && cass && dans && kims);
  const form = fieldsOf((await ann.get(`${base}/today`)).text, '/console/sign-out');
  assert.equal((await ann.post('/console/sign-out', form)).status, 303);
  const at = [workshopId];
  await db.query('DELETE FROM membership WHERE person_id = $2 AND workshop_id = $1', [...at, bob.personId]);
  await db.query(`UPDATE membership SET role = 'viewer' WHERE person_id = $2 AND workshop_id = $1`, [
    ...at,
    cas.personId,
  ]);
  await db.query('UPDATE membership SET sees_phones = false WHERE person_id = $2 AND workshop_id = $1', [
    ...at,
    dan.personId,
  ]);
  await Promise.all([anns, bobs, cass, dans].map((stream) => stream.ends()));
  assert.equal((await openStream(app.url, ann.cookie, path)).status, 401);
  assert.equal((await openStream(app.url, bob.cookie, path)).status, 404);
  await opened(cas);
  await kims.hears('booking', await book());
  kims.close();
});

test('streams end where a second factor is required that somebody lacks, and with a session that is put aside', async () => {
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const [fay, gil] = await Promise.all(
    Array.from({ length: 2 }, (_, n) =>
      signedInPerson(app, n === 0 ? [workshopId, elsewhere] : [workshopId]),
    ),
  );
  assert.ok(fay && gil);
  const [fays, gils, kims] = await Promise.all([fay, gil, kim].map((person) => opened(person)));
  assert.ok(fays && gils && kims);
  await db.query('UPDATE workshop SET second_factor_required = true WHERE id = $1', [elsewhere]);
  await db.query('UPDATE session SET put_aside_at = clock_timestamp() WHERE person_id = $1', [gil.personId]);
  await Promise.all([fays.ends(), gils.ends()]);
  assert.equal((await openStream(app.url, fay.cookie, path)).status, 403);
  assert.equal((await openStream(app.url, gil.cookie, path)).status, 401);
  await kims.hears('booking', await book());
  kims.close();
});

test('nothing is said to an ended session, whatever happens after it', async () => {
  const eve = await signedInPerson(app, [workshopId]);
  const eves = await opened(eve);
  await db.query('UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1', [eve.personId]);
  await eves.ends();
  const id = await book();
  const kims = await opened(kim);
  await kims.hears('booking', id);
  kims.close();
  assert.doesNotMatch(eves.text(), new RegExp(id));
});

test('another method is refused, and HEAD opens none', async () => {
  const head = await fetch(`${app.url}${path}`, { method: 'HEAD', headers: { cookie: kim.cookie } });
  assert.equal(head.status, 200);
  assert.match(head.headers.get('content-type') ?? '', /^text\/event-stream/);
  const { status, headers } = await kim.post(path);
  assert.equal(status, 405);
  assert.match(headers.get('allow') ?? '', /GET/);
});

test('a process that stops ends its streams at once; the next one answers with ready, and what was done between is said (specification: The console 13)', async () => {
  const first = await secondApp(app);
  const processes = [first];
  const proxy = await roundRobin(processes);
  const stream = await opened(kim, proxy.url);
  const stopped = first.close();
  await stream.ends();
  const id = await book();
  await stopped;
  processes[0] = await secondApp(app);
  const again = await opened(kim, proxy.url);
  await again.hears('booking', id);
  again.close();
});

test('a database that is away ends no stream: what was done meanwhile is said once it is back', async () => {
  const link = await proxyTo(app.databaseUrl);
  const second = await secondApp(app, { databaseUrl: link.url });
  const stream = await opened(kim, second.url);
  await link.cut();
  const id = await book();
  await pause(700);
  await link.mend();
  await stream.hears('booking', id);
  await second.close();
});
