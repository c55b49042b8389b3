/** Long because one app serves all of it. The inbox over HTTP: who waits, the messages, and what staff do about it without texting anybody. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { type Talked, talksAt } from '../../../test/fixtures/conversations.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { baseOf, fieldsOf, type Person, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { context } = app;
const { db } = context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const base = await baseOf(app, workshopId);
const { owner, adviser, technician, viewer } = await peopleOf(app, workshopId);
const talks = talksAt(app, partner, workshopId);

let names = 0;
/** A customer of a name that nobody else has, who has a booking. */
async function customer(
  changes: object = {},
): Promise<Talked & { readonly name: string; readonly path: string }> {
  const name = `Customer ${'abcdefghijklmnopqrstuvwxyz'[names++]}q`;
  const talked = await talks.known(newPhone(), { customerName: name, ...changes });
  return { ...talked, name, path: `${base}/inbox/${talked.conversationId}` };
}
const list = async (query = '', by: Person = owner) => (await by.get(`${base}/inbox${query}`)).text;
/** The names in the list, in its order. */
const namesIn = (page: string) =>
  [...page.matchAll(/<span class="row-title"><bdi>([^<]*)</g)].map(([, name]) => name);
const stateOf = async (path: string) =>
  /<p class="row-marks" data-now><span class="mark[^"]*"><span aria-hidden="true">.<\/span> ([^<]*)</.exec(
    (await owner.get(path)).text,
  )?.[1];
const textsSent = () => app.sms.sent.length;

test('who waits for us, all, done and mine: the newest first, with the last message, by whom and when', async () => {
  const [one, two] = [await customer(), await customer()];
  assert.ok(!namesIn(await list()).includes(one.name), 'a notice waits for nobody');
  await talks.heard(one, 'Is it ready?');
  await talks.heard(two, 'Call me');
  await talks.answered(owner, two, 'We will');
  const waiting = await list();
  assert.ok(namesIn(waiting).includes(one.name));
  assert.ok(!namesIn(waiting).includes(two.name));
  assert.match(waiting, /<a href="[^"]*\/inbox" aria-current="true">Waiting for us</);
  assert.deepEqual(namesIn(await list('?filter=all')).slice(0, 2), [two.name, one.name]);
  assert.match(waiting, /They:<\/span> Is it ready\?<\/span>/);
  assert.match(
    waiting,
    /<time datetime="[^"]+" title="[^"]+"><span aria-hidden="true">[^<]+<\/span><span class="unseen">/,
  );
  assert.match(await list('?filter=all'), /We:<\/span> We will<\/span>.*Answered/);

  assert.equal((await owner.submit(one.path, `${one.path}/done`)).status, 303);
  assert.ok(!namesIn(await list()).includes(one.name));
  assert.deepEqual(namesIn(await list('?filter=done')), [one.name]);
  assert.deepEqual(namesIn(await list('?filter=mine')), []);
  assert.equal((await owner.submit(two.path, `${two.path}/assign`, { to: owner.personId })).status, 303);
  assert.deepEqual(namesIn(await list('?filter=mine')), [two.name]);
  assert.deepEqual(namesIn(await list('?filter=mine', adviser)), []);
  // Search finds by name whatever the state, and looks at no phones for those who may not see them.
  assert.deepEqual(namesIn(await list(`?filter=all&q=${encodeURIComponent(one.name)}`)), [one.name]);
  const byPhone = `?filter=all&q=${encodeURIComponent(one.phone)}`;
  assert.deepEqual(namesIn(await list(byPhone)), [one.name]);
  assert.deepEqual(namesIn(await list(byPhone, viewer)), []);
  assert.equal(
    (await owner.get(`${base}/inbox?q=${'x y '.repeat(200)}&before=nonsense&filter=__proto__`)).status,
    422,
  );
  const beside = await owner.get(`${two.path}?q=${'x y '.repeat(9)}`);
  assert.equal(beside.status, 200);
  assert.match(beside.text, /What you look for must have at most 6 words/);
});

test('a number as a name is written as people write it, in the list, the head and the title, and hidden from who sees no phones (specification: Phone numbers 3)', async () => {
  const one = await customer();
  await db.query('UPDATE customer SET name = $2 WHERE id = $1', [one.customerId, '+61491575001']);
  await talks.heard(one, 'Hi');
  for (const path of [`${base}/inbox`, one.path, `${base}/customers/${one.customerId}`]) {
    const { text } = await owner.get(path);
    assert.match(text, /<bdi>0491 575 001<\/bdi>/, path);
    assert.doesNotMatch(text, /\+61491575001/, path);
  }
  assert.match((await owner.get(one.path)).text, /<title>0491 575 001 · /);
  assert.doesNotMatch((await viewer.get(one.path)).text.replaceAll(' ', ''), /491575001/);
});

test('a list is paged by keyset: each conversation once', async () => {
  const inserted = 65;
  const other = await linkedWorkshop(app, [partner]);
  await db.query(
    `WITH k AS (INSERT INTO customer (id, workshop_id, name, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'N' || n, now(), now() FROM generate_series(1, $2::integer) AS n RETURNING id),
     c AS (INSERT INTO conversation (id, workshop_id, customer_id, created_at) SELECT gen_random_uuid(), $1, id, now() FROM k RETURNING id, customer_id)
     SELECT FROM c`,
    [other, inserted],
  );
  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, created_at, updated_at)
     SELECT gen_random_uuid(), $1, id, customer_id, 'inbound', 'inbound', '+61491570006', 'Hi', 'gsm7', 1, 'received', now(), now()
       FROM conversation WHERE workshop_id = $1`,
    [other],
  );
  const kim = await signedInPerson(app, [other]);
  const seen: string[] = [];
  for (let path: string | undefined = `${await baseOf(app, other)}/inbox`; path; ) {
    const { text, status } = await kim.get(path);
    assert.equal(status, 200);
    seen.push(...[...text.matchAll(/<li id="row-([\da-f-]+)">/g)].map(([, id]) => id ?? ''));
    path = /href="([^"]*)">Older conversations</.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual([seen.length, new Set(seen).size], [inserted, inserted]);
});

test('all messages: by whom, with their state, under their day, the older ones behind Earlier', async () => {
  expectErrors(/a message is given up/);
  const talk = await customer();
  await talks.texted(talk, 'Your fleet car is due');
  await talks.heard(talk, 'Yes <b>please</b>');
  app.sms.next(() => ({ state: 'refused', permanent: true, reason: 'refused', detail: 'x' }));
  const failed = await talks.answered(adviser, talk, 'On Thursday then');
  const { text, status } = await owner.get(talk.path);
  assert.equal(status, 200);
  for (const said of [
    /<section class="day-said" id="day-[\d-]+"><h2>/,
    /<strong>Notice of a booking<\/strong>/,
    /<strong>Notice of a booking<\/strong> E-mail/,
    new RegExp(`<a href="${base}/bookings/${talk.bookingId}">Booking `),
    /<strong>Partner <bdi>Example Fleet<\/bdi><\/strong>/,
    new RegExp(`<strong><bdi>${talk.name}</bdi></strong>`),
    /Yes &lt;b&gt;please/,
    new RegExp(`<strong><bdi>${adviser.name}</bdi></strong>`),
    /<span aria-hidden="true">!<\/span> Not sent: the carrier refused it</,
    /<span aria-hidden="true">✓<\/span> Sent</,
    new RegExp(`href="${base}/bookings/new\\?conversation=${talk.conversationId}">New booking`),
    new RegExp(`href="${base}/customers/${talk.customerId}"`),
  ])
    assert.match(text, said);
  assert.equal(fieldsOf(text, `${talk.path}/again`)['message'], failed);
  for (const from of [`${base}/bookings/${talk.bookingId}`, `${base}/customers/${talk.customerId}`])
    assert.ok((await owner.get(from)).text.includes(`href="${talk.path}">Conversation<`), from);
  // Whoever does not see who changed what reads that it was us, and can't send it again.
  const bench = (await technician.get(talk.path)).text;
  assert.doesNotMatch(bench, new RegExp(`${adviser.name}|/again|/done|/note|/assign"`));
  assert.match(bench, /<strong><bdi>We<\/bdi><\/strong>/);
  assert.match(bench, /You read along/);
  // What failed leads to its place in the talk.
  const failures = await list('?filter=failed');
  assert.ok(failures.includes(`href="${talk.path}?filter=failed#m-${failed}"`));
  assert.match(failures, /Not sent: the carrier refused it/);

  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, $3, 'inbound', 'inbound', '+61491570006', 'Word ' || n, 'gsm7', 1, 'received', now(), now()
       FROM generate_series(1, 120) AS n`,
    [workshopId, talk.conversationId, talk.customerId],
  );
  await owner.submit(talk.path, `${talk.path}/note`, { note: 'One note among them' });
  const said: string[] = [];
  for (let path: string | undefined = talk.path; path; ) {
    const page: string = (await owner.get(path)).text;
    said.push(
      ...[...page.matchAll(/<li class="(?:heard|sent|noted)" id="([^"]+)">/g)].map(([, id]) => id ?? ''),
    );
    path = /href="([^"]*)">Earlier</.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM message WHERE customer_id = $1 AND audience = 'customer'`,
    [talk.customerId],
  );
  assert.deepEqual([said.length, new Set(said).size], [(row?.count ?? 0) + 1, said.length]);
});

test('Done, Mark as waiting, Assign: each by a version, once, and an older form says who changed what', async () => {
  const talk = await customer();
  await talks.heard(talk, 'Is it ready?');
  assert.equal(await stateOf(talk.path), 'Waits for us');
  const sent = textsSent();
  const seen = (await adviser.get(talk.path)).text;
  const { location } = await owner.submit(talk.path, `${talk.path}/done`);
  assert.equal(location, `${talk.path}?done=done`);
  assert.equal(await stateOf(talk.path), 'Done');
  // The customer writes while the page with the form is open.
  await owner.submit(talk.path, `${talk.path}/waiting`);
  assert.equal(await stateOf(talk.path), 'Waits for us');
  const late = await adviser.post(`${talk.path}/done`, fieldsOf(seen, `${talk.path}/done`));
  assert.equal(late.status, 422);
  assert.match(late.text, /Somebody changed this meanwhile/);
  assert.match(late.text, new RegExp(`<strong>${owner.name}</strong> marked the conversation as done`));
  assert.equal(await stateOf(talk.path), 'Waits for us');

  const form = fieldsOf((await owner.get(talk.path)).text, `${talk.path}/done`);
  await talks.heard(talk, 'And the invoice?');
  assert.equal((await owner.post(`${talk.path}/done`, form)).status, 422, 'what came meanwhile was not read');
  assert.equal(await stateOf(talk.path), 'Waits for us');

  await owner.submit(talk.path, `${talk.path}/assign`, { to: adviser.personId });
  assert.match((await owner.get(talk.path)).text, new RegExp(`Assigned to <bdi>${adviser.name}<`));
  await adviser.submit(talk.path, `${talk.path}/assign`, { to: '' });
  assert.match((await owner.get(talk.path)).text, /Assigned to nobody/);
  const stranger = await signedInPerson(app, [await linkedWorkshop(app, [partner])]);
  for (const to of [stranger.personId, newId(), 'nobody'])
    assert.equal((await owner.submit(talk.path, `${talk.path}/assign`, { to })).status, 422, to);
  assert.equal(textsSent(), sent, 'nobody was texted');
});

test("a note is never a text: a form of its own that sends nothing, kept once, masked, and shown back when it is refused (specification: Customers' answers 5)", async () => {
  const talk = await customer();
  await talks.heard(talk, 'Is it ready?');
  const sent = textsSent();
  const rows = async () =>
    (await db.query('SELECT FROM message WHERE customer_id = $1', [talk.customerId])).length;
  const had = await rows();
  const page = (await owner.get(talk.path)).text;
  assert.match(page, /<section class="card noted" aria-label="Note"><form [^>]*\/note">/);
  assert.match(page, /<label for="note">Note, inside only<\/label>/);
  const form = { ...fieldsOf(page, `${talk.path}/note`), note: 'Owes us $40, call 0491 570 156' };
  const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${talk.path}/note`, form)));
  assert.deepEqual(
    answers.map(({ status, location }) => [status, location]),
    Array(3).fill([303, `${talk.path}?done=noted`]),
  );
  await app.drain();
  const shown = (await owner.get(talk.path)).text;
  assert.equal(shown.split('Owes us $40').length, 2);
  assert.match(
    shown,
    /<li class="noted" id="n-[^"]+"><p class="about"><strong><span aria-hidden="true">✎<\/span> Note, inside only<\/strong> <bdi>owner \d+<\/bdi>/,
  );
  assert.doesNotMatch((await viewer.get(talk.path)).text.replaceAll(' ', ''), /0491570156/);
  assert.deepEqual([textsSent(), await rows()], [sent, had], 'nothing was sent, and nothing is to be');
  assert.equal(await stateOf(talk.path), 'Waits for us');
  // It stands on no page of the customer's texts, and in no answer of the API.
  const { body } = await partner.call('GET', `/workshops/${workshopId}/messages?limit=50`);
  assert.doesNotMatch(JSON.stringify(body), /Owes us/);

  for (const typed of ['', 'x'.repeat(2_001)]) {
    const refused = await owner.submit(talk.path, `${talk.path}/note`, { note: typed });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /<a href="#note">Note must have 1 to 2,000 characters</);
    assert.ok(refused.text.includes(`\n${typed}</textarea>`));
  }
  for (const by of [technician, viewer])
    for (const to of ['note', 'done', 'waiting', 'assign'])
      assert.equal((await by.post(`${talk.path}/${to}`, { note: 'x', to: '' })).status, 403);
});

test('each id of a merged customer leads to one talk; of another workshop there is none', async () => {
  const [kept, gone] = [await customer(), await customer()];
  await talks.heard(kept, 'From the first number');
  await talks.heard(gone, 'From the second number');
  await mergeCustomers(context, {
    ...{ workshopId, actor: actors.operator },
    both: [{ customerId: kept.customerId }, { customerId: gone.customerId }],
  });
  for (const { path } of [kept, gone]) {
    const { text, status } = await owner.get(path);
    assert.equal(status, 200);
    assert.match(text, /From the first number(.|\n)*From the second number/);
  }
  assert.equal(
    namesIn(await list('?filter=all')).filter((name) => [kept.name, gone.name].includes(name ?? '')).length,
    1,
  );
  const elsewhere = await linkedWorkshop(app, [partner]);
  const stranger = await signedInPerson(app, [elsewhere]);
  const there = `${await baseOf(app, elsewhere)}/inbox/${kept.conversationId}`;
  assert.equal((await stranger.get(there)).status, 404);
  for (const to of ['note', 'done', 'waiting', 'assign'])
    assert.equal((await stranger.post(`${there}/${to}`, { note: 'x', key: newId() })).status, 404);
});

test('whoever reads it is shown 2,000 customers an hour: its list, searches, failed texts and conversations count', async () => {
  const talk = await customer();
  await talks.heard(talk, 'Hello');
  const kim = await signedInPerson(app, [workshopId]);
  await db.query(
    `INSERT INTO shown_customer (person_id, workshop_id, customer_id, at)
     SELECT $1, $2, gen_random_uuid(), clock_timestamp() FROM generate_series(1, 2000)`,
    [kim.personId, workshopId],
  );
  const last = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  for (const query of [
    `?filter=all&q=${encodeURIComponent(talk.name)}`,
    `?filter=all&before=${last}`,
    '?filter=all',
  ]) {
    assert.equal((await kim.get(`${base}/inbox${query}`)).status, 429, query);
    assert.ok(namesIn(await list(query)).includes(talk.name));
  }
  assert.equal((await kim.get(talk.path)).status, 429);
});

test('a text that may ask for no more texts: Opt out and Not meant, for owner and adviser; two who decide differently; a repeat', async () => {
  const [one, two] = [await customer(), await customer()];
  for (const each of [one, two]) await talks.heard(each, 'Please stop texting me');
  assert.match(await list(), /Asks to stop\?/);
  for (const [by, buttons] of [
    [owner, true],
    [adviser, true],
    [technician, false],
    [viewer, false],
  ] as const) {
    const { text } = await by.get(one.path);
    assert.match(text, /<strong>Asks to stop\?<\/strong>/);
    assert.equal(/>Opt out<\/button>/.test(text) && />Not meant<\/button>/.test(text), buttons);
  }
  const form = fieldsOf((await owner.get(one.path)).text, `${one.path}/not-meant`);
  const late = fieldsOf((await adviser.get(one.path)).text, `${one.path}/opt-out`);
  for (let times = 0; times < 2; times++)
    assert.equal((await owner.post(`${one.path}/not-meant`, form)).location, `${one.path}?done=stopNotMeant`);
  const refused = await adviser.post(`${one.path}/opt-out`, late);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /said that they did not ask for no more texts/);
  assert.doesNotMatch(refused.text, /<strong>Asks to stop/);
  assert.equal((await technician.post(`${two.path}/opt-out`, { ...late, key: newId() })).status, 403);
  assert.equal(
    (await adviser.submit(two.path, `${two.path}/opt-out`)).location,
    `${two.path}?done=stopMeant`,
  );
  const rows = await db.query<{ id: string; optedOut: boolean }>(
    'SELECT id, opted_out_at IS NOT NULL AS opted_out FROM customer WHERE id = ANY ($1) ORDER BY opted_out_at NULLS FIRST',
    [[one.customerId, two.customerId]],
  );
  assert.deepEqual(rows, [
    { id: one.customerId, optedOut: false },
    { id: two.customerId, optedOut: true },
  ]);
  assert.match((await owner.get(`${two.path}?done=stopMeant`)).text, /Opted out of SMS\./);
});

test('"Cancel" on the day of a booking: the conversation waits, and says which booking it may have meant; a tapback is shown as a reaction', async () => {
  const one = await customer();
  await db.query('UPDATE booking SET date = $2 WHERE id = $1', [one.bookingId, context.clock.now()]);
  await talks.texted(one, 'See you soon, Kim');
  await talks.heard(one, 'Liked “See you soon, Kim”');
  assert.equal(await stateOf(one.path), 'Answered');
  assert.match((await owner.get(one.path)).text, /reacted 👍 to “See you soon, Kim”/);
  await talks.heard(one, 'Cancel');
  assert.equal(await stateOf(one.path), 'Waits for us');
  const { text } = await technician.get(one.path);
  assert.match(
    text,
    new RegExp(`May have meant <a href="${base}/bookings/${one.bookingId}">the booking of [^<]+</a>`),
  );
  assert.match(await list(), /May have meant the booking of /);
  assert.equal((await owner.submit(one.path, `${one.path}/done`)).status, 303);
  assert.doesNotMatch((await owner.get(one.path)).text, /May have meant/);
});
