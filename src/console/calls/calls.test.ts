/** Long because one world serves all of it. The page of calls: who waits to be called back, Mark as called and taking it back, a booking and a text made of a call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { markCall } from '#product/leads/call-back/mark.ts';
import { callWorld } from '../../../test/fixtures/call-leads.ts';
import { baseOf, type Person, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { countWaiting } from '../waiting/store.ts';

const { app, partner, workshopId, record, readCall, post, book } = await callWorld();
const { context } = app;
const { db, clock } = context;
const base = await baseOf(app, workshopId);
const calls = `${base}/calls`;
const { owner, adviser, viewer } = await peopleOf(app, workshopId);

let phones = 1_000;
const newPhone = () => `+6149157${phones++}`;
const national = (phone: string) => phone.replace(/^\+61(\d{3})(\d{3})(\d{3})$/, '0$1 $2 $3');
const agoMs = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString();
const missed = (callerPhone: string, minutes = 5, changes: object = {}) =>
  record({ callerPhone, calledAt: agoMs(minutes), ...changes });
const waits = async (phone: string, filter = 'waiting') =>
  (await owner.get(`${calls}?filter=${filter}`)).text.includes(`tel:${phone}"`);
const waiting = async () => (await countWaiting(db, workshopId, clock)).calls;
const marked = (
  by: Person,
  id: string,
  to: 'called' | 'waiting' = 'called',
  typed: Record<string, string> = {},
) => by.submit(`${calls}/${id}`, `${calls}/${id}/${to}`, typed);
const trailOf = (id: string) =>
  db.query<{ action: string; actor: string; after: object }>(
    'SELECT action, actor, after FROM audit_entry WHERE subject_id = $1 AND version IS NULL ORDER BY id',
    [id],
  );

test('one row a caller, with Ring back, how long ago, how often, and all that the partner was told', async () => {
  const phone = newPhone();
  const before = await waiting();
  await missed(phone, 90, { customerName: 'Ava Nguyen' });
  await missed(phone, 61, { outcome: 'voicemail' });
  const last = await missed(phone, 60, {
    ...{ source: 'google-ads', notes: 'Brakes squeal' },
    recordingUrl: 'https://calls.example/8f2a.mp3',
  });
  const { text } = await owner.get(calls);
  assert.equal(text.split(`href="tel:${phone}"`).length, 2);
  assert.match(text, new RegExp(`>Ring back ${national(phone)}</a>`));
  for (const said of ['Ava Nguyen', '1 hour ago', 'rang 3 times in two weeks', 'google-ads', 'Brakes squeal'])
    assert.ok(text.includes(said), said);
  assert.match(
    text,
    /href="https:\/\/calls\.example\/8f2a\.mp3" rel="noopener noreferrer nofollow external"/,
  );
  assert.equal(await waiting(), before + 1);
  const page = (await owner.get(`${calls}/${last.id}`)).text;
  assert.match(page, /Other calls of this number.*✉ Voicemail.*✕ Missed/s);
  // An answered call of the number ends the wait, whoever registered it.
  await missed(phone, 1, { outcome: 'answered', durationSeconds: 184 });
  assert.deepEqual([await waits(phone), await waits(phone, 'done'), await waiting()], [false, true, before]);
  assert.match((await owner.get(`${calls}?filter=all`)).text, /✓ Answered<\/span>.*3:04/s);
});

test('a recording that is not kept behind https is no link', async () => {
  const { id } = await missed(newPhone(), 3, { recordingUrl: 'http://calls.example/plain.mp3' });
  assert.doesNotMatch((await owner.get(`${calls}/${id}`)).text, /plain\.mp3/);
});

test('Mark as called ends the wait, on Today too; a later missed call waits again; the call is as it was (specification: Call leads 4 and 7)', async () => {
  const phone = newPhone();
  const before = await waiting();
  await missed(phone, 30);
  const { id } = await missed(phone, 20);
  const was = await readCall(id);
  const [row] = await db.query('SELECT * FROM call_lead WHERE id = $1', [id]);
  const { status, location } = await marked(adviser, id, 'called', { note: ' Comes on\nMonday ' });
  assert.deepEqual([status, location], [303, `${calls}/${id}?done=called`]);
  const { text } = await owner.get(`${calls}/${id}?done=called`);
  assert.match(text, /role="status">Marked as called\.</);
  assert.match(text, new RegExp(`<strong>${adviser.name}</strong> called back, .*Comes on Monday`));
  assert.deepEqual([await waits(phone), await waits(phone, 'done'), await waiting()], [false, true, before]);
  assert.deepEqual(await readCall(id), was);
  // An earlier call that its partner registers only now is covered.
  await missed(phone, 25);
  assert.equal(await waits(phone), false);
  assert.deepEqual(await db.query('SELECT * FROM call_lead WHERE id = $1', [id]), [row]);
  assert.deepEqual(await trailOf(id), [
    {
      ...{ action: 'callLead.calledBack', actor: `person ${adviser.personId}` },
      after: { calledBack: true, note: 'Comes on Monday' },
    },
  ]);

  const later = await missed(phone, 2);
  assert.deepEqual([await waits(phone), await waiting()], [true, before + 1]);
  // From the list it leads back to it.
  const path = `${calls}?filter=all`;
  const fromList = await owner.submit(path, `${calls}/${later.id}/called`);
  assert.equal(fromList.location, `${path}&done=called`);
  assert.equal(await waits(phone), false);
  assert.equal((await marked(owner, later.id, 'waiting')).status, 303);
  assert.deepEqual([await waits(phone), await waiting()], [true, before + 1]);
});

test('two people mark one call: the second reads who was first, keeps the note that was typed, and changes nothing (specification: Call leads 5)', async () => {
  const { id } = await missed(newPhone());
  const path = `${calls}/${id}`;
  const [one, other] = await Promise.all(
    [owner, adviser].map(async (by) => {
      const form = (await by.get(path)).text;
      return {
        by,
        key: /name="key" value="([^"]+)"/.exec(form.split(`action="${path}/called"`)[1] ?? '')?.[1] ?? '',
      };
    }),
  );
  assert.ok(one && other);
  const answers = await Promise.all(
    [one, other].map(async ({ by, key }) => ({
      by,
      ...(await by.post(`${path}/called`, { key, version: '0', note: `Note of ${by.name}` })),
    })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422]);
  const first = answers.find(({ status }) => status === 303) ?? assert.fail();
  const second = answers.find(({ status }) => status === 422) ?? assert.fail();
  assert.match(second.text, /Somebody changed this meanwhile/);
  assert.ok(second.text.includes(`Note of ${second.by.name}`), 'what was typed');
  assert.match(second.text, new RegExp(`<strong>${first.by.name}</strong> called back`));
  const [kept] = await db.query<{ note: string; version: number }>(
    'SELECT note, version FROM call_back WHERE call_lead_id = $1',
    [id],
  );
  assert.deepEqual(kept, { note: `Note of ${first.by.name}`, version: 1 });
  // A note that can't be kept hides nothing of it.
  const long = { key: newId(), version: '0', note: 'x'.repeat(256) };
  assert.match((await owner.post(`${path}/called`, long)).text, /Somebody changed this meanwhile/);
  assert.equal((await trailOf(id)).length, 1);
});

test('a double click and the back button get the first answer; without a key, too long, or of a call that was taken: 422', async () => {
  const { id } = await missed(newPhone());
  const form = { version: '0', key: newId() };
  const sent = await Promise.all(Array.from({ length: 3 }, () => owner.post(`${calls}/${id}/called`, form)));
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303, 303],
  );
  assert.equal((await trailOf(id)).length, 1);
  const other = await missed(newPhone());
  const refused = async (call: string, fields: Record<string, string>) =>
    (await owner.post(`${calls}/${call}/called`, { version: '0', ...fields })).status;
  assert.equal(await refused(other.id, {}), 422);
  assert.equal(await refused(other.id, { key: newId(), note: 'x'.repeat(256) }), 422);
  const taken = await missed(newPhone(), 1, { outcome: 'answered' });
  assert.equal(await refused(taken.id, { key: newId() }), 422);
  assert.deepEqual(
    await db.query('SELECT FROM call_back WHERE call_lead_id = ANY ($1)', [[other.id, taken.id]]),
    [],
  );
});

test('a booking that is made of a call marks it in its own commit; one that is refused does not (specification: Call leads 5)', async () => {
  const phone = newPhone();
  const { id } = await missed(phone);
  const path = `${base}/bookings/new`;
  const page = `${path}?call=${id}`;
  assert.equal(
    (await owner.submit(page, path, { date: '2030-03-05', time: 'noon-ish', name: 'Ava' })).status,
    422,
  );
  assert.equal(await waits(phone), true);
  const booked = await owner.submit(page, path, { date: '2030-03-05', time: '09:00', name: 'Ava', phone });
  assert.equal(booked.status, 303, booked.text);
  assert.deepEqual([await waits(phone), await waits(phone, 'done')], [false, true]);
  // Nothing of a booking is told to the partner who registered the call.
  assert.equal((await readCall(id)).bookingId, null);
});

test('a text to a caller who is no customer yet asks why, makes the customer with it, and changes nothing where it is refused (specification: Call leads 7)', async () => {
  const phone = newPhone();
  const { id } = await missed(phone, 4, { customerName: 'Jo Baker' });
  const path = `${calls}/${id}/message`;
  const customers = async () => (await db.query('SELECT FROM customer WHERE phone = $1', [phone])).length;
  const asked = await adviser.submit(path, path, { message: 'We will call at five' });
  assert.equal(asked.status, 422);
  assert.match(asked.text, /Why may this number be texted\?/);
  assert.equal(await customers(), 0);
  const sent = await adviser.submit(path, path, {
    message: 'We will call at five',
    reason: 'They called us',
  });
  assert.deepEqual([sent.status, sent.location], [303, `${calls}/${id}?done=sent`]);
  await app.drain();
  assert.deepEqual(
    app.sms.to(phone).map(({ body }) => body),
    ['We will call at five'],
  );
  assert.equal(await customers(), 1);
  // A text is no call: they wait on.
  assert.equal(await waits(phone), true);
  await db.query('UPDATE customer SET opted_out_at = now() WHERE phone = $1', [phone]);
  const again = await adviser.submit(path, path, { message: 'Again' });
  assert.equal(again.status, 422);
  assert.match(again.text, /opted out of SMS/);
});

test('a known customer is named with a link; who may not see phones reads none, and gets no link that calls', async () => {
  const phone = newPhone();
  const { customerId } = await book({ customerPhone: phone, customerName: 'Mia Rossi' });
  const { id } = await missed(phone, 2, {
    ...{ notes: `Call ${national(phone)}`, recordingUrl: `https://calls.example/${phone}.mp3` },
  });
  const { text } = await viewer.get(calls);
  assert.match(text, new RegExp(`href="${base}/customers/${customerId}"><bdi>Mia Rossi</bdi>`));
  for (const page of [text, (await viewer.get(`${calls}/${id}`)).text]) {
    assert.ok(!page.replaceAll(/\D/g, '').includes(phone.slice(3)), 'the number');
    assert.doesNotMatch(page, /tel:|Mark as called|New booking|>Text</);
  }
  const mute = await signedInPerson(app, [workshopId], 'adviser', { mayText: false });
  const { text: shown } = await mute.get(`${calls}/${id}`);
  for (const way of ['Mark as called', '>New booking<', '>New quote<']) assert.ok(shown.includes(way), way);
  assert.doesNotMatch(shown, />Text</);
  assert.equal((await mute.get(`${calls}/${id}/message`)).status, 403);
});

test('what nobody took for two weeks waits no more, as on Today; an erased caller waits for nobody (specification: Call leads 4)', async () => {
  const old = newPhone();
  await missed(old, 15 * 24 * 60);
  assert.deepEqual([await waits(old), await waits(old, 'all')], [false, true]);
  const { status } = await post({ callerPhone: '' });
  assert.equal(status, 400);
  const phone = newPhone();
  const { id } = await missed(phone, 2);
  await marked(owner, id, 'called', { note: `Ask for ${phone}` });
  await db.query(`UPDATE call_lead SET caller_phone = '' WHERE id = $1`, [id]);
  await marked(owner, id, 'waiting');
  const before = await waiting();
  const { text } = await owner.get(`${calls}/${id}`);
  assert.doesNotMatch(text, /tel:|Ring back|bookings\/new\?call/);
  assert.equal(await waiting(), before);
});

test('pages of callers meet, newest first; nothing follows a call of another workshop', async () => {
  const phone = newPhone();
  for (let n = 0; n < 60; n++) await missed(newPhone(), 200 + Math.floor(n / 3));
  await missed(phone, 300);
  const seen: string[] = [];
  for (let path: string | undefined = calls; path !== undefined; ) {
    const { text } = await owner.get(path);
    seen.push(
      ...[...text.matchAll(/class="button primary" href="tel:(\+\d+)"/g)].map(([, each]) => each ?? ''),
    );
    path = /href="([^"]+)">Next page</.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(seen.length, await waiting());
  assert.equal(seen.at(-1), phone);
  assert.match((await owner.get(`${calls}?before=${newId()}`)).text, /Nobody waits to be called back/);
});

test('the verb takes the workshop; a call of another is not found', async () => {
  const { id } = await missed(newPhone());
  const of = { callId: id, state: 'called', actor: actors.operator } as const;
  await assert.rejects(markCall(context, { ...of, workshopId: newId() }), /100001|not found/i);
  assert.equal((await partner.call('GET', `/leads/calls/${id}`)).status, 200);
});
