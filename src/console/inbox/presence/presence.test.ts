/** Long because its tests share one office, whose start takes a second. Who else is at a conversation: said to its workshop’s people alone, by whichever process, and kept nowhere. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { watchedWorkshop } from '../../../../test/fixtures/live.ts';
import { baseOf, browser, type Person, signedInPerson } from '../../../../test/fixtures/office.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import { until } from '../../../../test/harness/wait.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { beatsPerMinute } from './presence.ts';

const { app, workshopId, base, kim, opened, book } = await watchedWorkshop();
const { db } = app.context;
const path = `${base}/inbox/presence`;
let conversation = '';
let jo: Person;

before(async () => {
  await book();
  conversation = newId();
  await db.query(
    'INSERT INTO conversation (id, workshop_id, customer_id, created_at) SELECT $1, workshop_id, id, now() FROM customer WHERE workshop_id = $2',
    [conversation, workshopId],
  );
  jo = await signedInPerson(app, [workshopId], 'viewer');
});

/** A page of somebody, at a process. */
function pageOf(person: Person, url = app.url, at = path) {
  const page = newId().replaceAll('-', '').slice(0, 20);
  let number = 0;
  return async (doing: string, changes: Record<string, string> = {}) => {
    const form = { page, doing, conversation, number: String(++number), ...changes };
    const { status, text } = await browser({ url }, person.cookie).post(at, form);
    return {
      status,
      people: status === 200 ? (JSON.parse(text).people as { name: string; isTyping: boolean }[]) : [],
    };
  };
}
const said = (person: Person, isTyping: boolean) =>
  new RegExp(
    `event: present\\ndata: \\{"conversationId":"${conversation}","people":\\[\\{"name":"${person.name}","isTyping":${isTyping}\\}\\]`,
  );
const nobody = /event: present\ndata: \{"conversationId":"[^"]*","people":\[\]\}/;

test('two people see each other: who looks, who types, who has left; of several pages of one person each counts (specification: The console 17)', async () => {
  const kims = pageOf(kim);
  const [jos, josOther] = [pageOf(jo), pageOf(jo)];
  const stream = await opened(kim);
  assert.deepEqual((await kims('looking')).people, []);
  assert.deepEqual((await jos('looking')).people, [{ name: kim.name, isTyping: false }]);
  await stream.says(said(jo, false));
  await josOther('looking');
  await josOther('typing');
  await stream.says(said(jo, true));
  await josOther('gone');
  await stream.says(said(jo, false));
  await jos('gone');
  await stream.says(nobody);
  // Nobody gets messages of a conversation without being at it.
  await kims('gone');
  const before = stream.text().length;
  await jos('looking');
  await book();
  await stream.says(/event: changed/);
  assert.doesNotMatch(stream.text().slice(before), /event: present/);
  await jos('gone');
  stream.close();
});

test('at several processes: each person’s stream and beats may come to different ones (specification: The console 18)', async () => {
  const other = await secondApp(app);
  const third = await secondApp(app);
  const stream = await opened(kim, other.url);
  const [kims, jos] = [pageOf(kim), pageOf(jo, third.url)];
  await kims('looking');
  await until('jo does not read of kim', async () => (await jos('looking')).people.length === 1);
  await stream.says(said(jo, false));
  await jos('typing');
  await stream.says(said(jo, true));
  // One that begins later hears of those who are there.
  const late = await secondApp(app);
  const josLate = pageOf(jo, late.url);
  await until('the late process knows nobody', async () => (await josLate('looking')).people.length === 1);
  await josLate('gone');
  await jos('gone');
  await stream.says(nobody);
  await kims('gone');
  for (const each of [other, third, late]) await each.close();
});

test('a process that hears nothing of the others, as through a pooler in transaction mode, shows those of its own (specification: The console 18)', async () => {
  const deaf = await secondApp(app, {
    context: {
      db: {
        ...db,
        direct: Object.create(db.direct, {
          options: { value: { ...db.direct.options, connectionString: 'postgres://127.0.0.1:1/none' } },
        }),
      },
    },
  });
  const [kims, jos, josHere] = [pageOf(kim, deaf.url), pageOf(jo, deaf.url), pageOf(jo)];
  const stream = await opened(kim, deaf.url);
  await kims('looking');
  await josHere('looking');
  assert.deepEqual((await kims('looking')).people, []);
  await jos('typing');
  await stream.says(said(jo, true));
  await jos('gone');
  await stream.says(nobody);
  await josHere('gone');
  // What it has not told the others yet it tells them when it stops.
  const watcher = pageOf(await signedInPerson(app, [workshopId]));
  const shows = async (count: number) => {
    const { status, people } = await watcher('looking');
    assert.equal(status, 200);
    return people.length === count;
  };
  await kims('gone');
  await jos('typing');
  await until('jo is not shown', () => shows(1));
  stream.close();
  await jos('gone');
  await deaf.close();
  await until('jo is still shown', () => shows(0));
  await watcher('gone');
});

test('an older beat that comes late brings nobody back (specification: The console 29)', async () => {
  const kims = pageOf(kim);
  const jos = pageOf(jo);
  await jos('looking', { number: '5' });
  await jos('gone', { number: '7' });
  await jos('typing', { number: '6' });
  assert.deepEqual((await kims('looking')).people, []);
  await kims('gone');
});

test('a session that has ended is gone within five seconds, where streams are open and where none is (specification: The console 17)', async () => {
  const ann = await signedInPerson(app, [workshopId], 'adviser');
  const ben = await signedInPerson(app, [workshopId], 'adviser');
  const kims = pageOf(kim);
  await kims('looking');
  const other = await secondApp(app);
  const kimsOther = pageOf(kim, other.url);
  await pageOf(ann)('looking');
  await pageOf(ben, other.url)('looking');
  const namesAt = async (page: typeof kims) =>
    (await page('looking')).people.map(({ name }) => name).toSorted();
  for (const page of [kims, kimsOther])
    await until(
      'not all are shown',
      async () => (await namesAt(page)).join() === [ann.name, ben.name].join(),
    );
  const stream = await opened(kim);
  for (const { personId } of [ann, ben])
    await db.query('UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1', [personId]);
  await stream.says(nobody);
  await until('somebody is still shown', async () => (await namesAt(kimsOther)).length === 0);
  assert.equal((await pageOf(ann)('looking')).status, 303);
  stream.close();
  await kims('gone');
  await kimsOther('gone');
  await other.close();
});

test('people of another workshop are told nothing, and are shown to nobody', async () => {
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const theirs = `${await baseOf(app, elsewhere)}/inbox/presence`;
  const stranger = await signedInPerson(app, [elsewhere]);
  const both = await signedInPerson(app, [workshopId, elsewhere]);
  const kims = pageOf(kim);
  await kims('looking');
  assert.equal((await pageOf(stranger)('looking')).status, 404);
  assert.equal((await pageOf(stranger, app.url, theirs)('looking')).status, 404);
  assert.equal((await pageOf(both, app.url, theirs)('looking')).status, 404);
  for (const wrong of [newId(), 'x', ''])
    assert.equal((await kims('looking', { conversation: wrong })).status, 404);
  assert.deepEqual((await kims('looking')).people, []);
  const operator = await signedInPerson(app, []);
  await db.query('UPDATE person SET is_operator = true WHERE id = $1', [operator.personId]);
  assert.equal((await pageOf(operator)('looking')).status, 404);
  await kims('gone');
});

test('what is no beat is refused; beats are bounded by themselves, count as no form, and keep no session open (specification: The console 17)', async () => {
  const flooder = await signedInPerson(app, [workshopId]);
  await db.query(`UPDATE session SET used_at = clock_timestamp() - interval '1 hour' WHERE person_id = $1`, [
    flooder.personId,
  ]);
  const page = pageOf(flooder);
  const forms = () => db.query('SELECT source, cardinality(attempts) AS many FROM attempt ORDER BY 1', []);
  const before = await forms();
  for (const wrong of [{ doing: 'dancing' }, { page: '<b>' }, { number: '-1' }, { number: 'x' }])
    assert.equal((await page('looking', wrong)).status, 400);
  // Their minute may end meanwhile, once.
  let taken = 0;
  let status = 200;
  while (status === 200 && taken <= 2 * beatsPerMinute) {
    status = (await page('looking')).status;
    if (status === 200) taken++;
  }
  assert.equal(status, 429);
  assert.ok(taken >= beatsPerMinute, String(taken));
  const [row] = await db.query<{ old: boolean }>(
    `SELECT used_at < clock_timestamp() - interval '50 minutes' AS old FROM session WHERE person_id = $1`,
    [flooder.personId],
  );
  assert.equal(row?.old, true);
  assert.deepEqual(await forms(), before);
  assert.equal((await flooder.post('/console/nowhere')).status, 404);
});

test('a message that somebody with a role in the database kept and tells again later is not believed', async () => {
  const other = await secondApp(app);
  const watcher = await signedInPerson(app, [workshopId]);
  const stream = await opened(watcher);
  const ghost = await signedInPerson(app, [workshopId]);
  const heard: string[] = [];
  const client = await db.pool.connect();
  client.on('notification', ({ payload }) => void heard.push(payload ?? ''));
  await client.query('LISTEN pitlane_presence');
  const { sealing } = app.context;
  const ofGhost = () =>
    heard
      .map((payload) => JSON.parse(sealing.open('presence', payload) ?? '{}'))
      .find(({ sent }) => sent?.[0]?.beat.personId === ghost.personId);
  await pageOf(ghost, other.url)('looking');
  await until('the beat was not told', async () => ofGhost() !== undefined);
  client.release(true);
  await pageOf(watcher)('looking');
  /** A page of somebody else, in a message that old. */
  const toldAfter = async (minutes: number, name: string) => {
    const { sent, at, ...message } = ofGhost();
    const [{ beat }] = sent;
    const again = [{ ...sent[0], beat: { ...beat, pageId: `again-${name}`, personId: newId(), name } }];
    const told = { ...message, sent: again, at: at - minutes * 60_000 };
    await db.query(`SELECT pg_notify('pitlane_presence', $1)`, [
      sealing.seal('presence', JSON.stringify(told)),
    ]);
  };
  await toldAfter(10, 'Old');
  await toldAfter(0, 'Fresh');
  await stream.says(/"name":"Fresh"/);
  assert.doesNotMatch(stream.text(), /"name":"Old"/);
  stream.close();
  await other.close();
});

test('nothing of it is in a table, and what passes between processes is sealed (specification: The console 17 and 18)', async () => {
  const zed = await signedInPerson(app, [workshopId]);
  await db.query(`UPDATE person SET name = 'Zedekiah' WHERE id = $1`, [zed.personId]);
  const heard: string[] = [];
  const client = await db.pool.connect();
  client.on('notification', ({ payload }) => void heard.push(payload ?? ''));
  await client.query('LISTEN pitlane_presence');
  await pageOf(zed)('typing');
  await until('nothing was told to other processes', async () => heard.length > 0);
  client.release(true);
  assert.doesNotMatch(heard.join(), new RegExp(`Zedekiah|${zed.personId}|${conversation}|typing`));
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rows = await db.query(`SELECT FROM "${name}" AS t WHERE to_jsonb(t)::text LIKE '%Zedekiah%'`);
    assert.equal(rows.length > 0, name === 'person', name);
  }
});
