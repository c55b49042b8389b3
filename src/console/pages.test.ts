/** What every page of the console is sent with, made from the table of its routes; and hostile words in a booking, wherever they are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { baseOf, browser, fieldsOf, peopleOf, signedInPerson } from '../../test/fixtures/office.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import { workshopRoutes } from './routes.ts';

const app = await startTestApp();
const { db } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const base = await baseOf(app, workshopId);
const { owner, viewer } = await peopleOf(app, workshopId);

const nobody = browser(app, '');
const pages = workshopRoutes.filter(({ method }) => method === 'GET').map(({ path }) => `${base}/${path}`);
const withIds = (path: string) => path.replaceAll(/:\w+/g, () => newId());

function assertSafe(headers: Headers, what: string): void {
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/, what);
  assert.match(policy, /frame-ancestors 'none'/, what);
  assert.doesNotMatch(policy, /unsafe|\*|http:|data:(?!;)\s*script/, what);
  assert.equal(headers.get('cache-control'), 'no-store', what);
  assert.equal(headers.get('referrer-policy'), 'same-origin', what);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', what);
}

test('every page goes with a strict policy, in no frame and no cache, refusals too (specification: The console 8)', async () => {
  for (const path of pages.map(withIds)) {
    for (const [who, by] of Object.entries({ owner, viewer })) {
      const { headers, status } = await by.get(path);
      assertSafe(headers, `${who}: ${path} (${status})`);
    }
  }
  for (const path of ['/console/me', '/console/nowhere', '/console/w/nowhere/today'])
    assertSafe((await owner.get(path)).headers, path);
  assertSafe((await nobody.get('/console/sign-in')).headers, 'sign-in');
  const { status, headers } = await owner.post(`${base}/bookings/new`, { rego: '' });
  assert.equal(status, 422);
  assertSafe(headers, 'a refused form');
  // What leads on is kept by no cache either: it depends on who asks.
  for (const answer of [await nobody.get(`${base}/today`), await owner.get('/console')]) {
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
});

const hostile = (n: number) =>
  `"'><img src=x onerror=alert(${n})></textarea></title></script><script>x${n}</script>&lt;`;

test('hostile words of a booking, its customer and its texts are words on every page', async () => {
  const words = Array.from({ length: 8 }, (_, n) => hostile(n));
  const [name, notes, , service, reason, answer, noted] = words;
  const customerPhone = '0491 570 157';
  const created = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, {
      ...{
        customerName: name,
        notes,
        customerPhone,
        carMake: `<img src=x onerror=alert(2)>`,
        services: [{ title: service }],
      },
      bookingTime: new Date(app.clock.now().getTime() + 600_000).toISOString(),
    }),
  );
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { id } = created.body.booking;
  const sent = await partner.call('POST', `/bookings/${id}/cancelled`, { reason });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  await app.drain();
  const [desk] = await db.query<{ phone: string }>('SELECT phone FROM workshop WHERE id = $1', [workshopId]);
  await receiveSms(app.context, 'recorded', {
    ...{ gatewayId: newId(), from: '+61491570157', to: desk?.phone ?? '', body: answer ?? '' },
  });
  const mine = `${base}/bookings/${id}`;
  const shown = [
    ...pages.filter((path) => !path.includes(':')),
    ...[mine, `${mine}/move`, `${mine}/cancel`, `${mine}/edit`, `${mine}/message`],
    `${base}/bookings/new?${new URLSearchParams({ phone: customerPhone, notes: noted ?? '', name: noted ?? '', like: id })}`,
    `${base}/today?date=${encodeURIComponent(noted ?? '')}`,
    `/console/sign-in?next=${encodeURIComponent(`/console/${noted}`)}`,
  ];
  const texts: string[] = [];
  for (const path of shown) {
    const { text, status } = await owner.get(path);
    assert.ok(status < 500, `${status} ${path}`);
    assert.doesNotMatch(text, /<img src=x|<script>x\d|<\/script><script/i, path);
    texts.push(text);
  }
  const refused = await owner.post(`${base}/bookings/new`, {
    name: name ?? '',
    rego: name ?? '',
    notes: notes ?? '',
    date: name ?? '',
  });
  assert.equal(refused.status, 422);
  assert.doesNotMatch(refused.text, /<img src=x|<script>x\d/i);
  // They were there to be shown.
  const all = texts.join('\n');
  for (const n of [0, 1, 2, 3, 4, 5])
    assert.match(all, new RegExp(`alert\\(${n}\\)`), `text ${n} is on no page`);
});

test('a session has 300 forms a minute, and another its own (specification: The console 7)', async () => {
  const flooder = await signedInPerson(app, [workshopId]);
  const statuses: number[] = [];
  for (let n = 0; n < 302; n++) statuses.push((await flooder.post('/console/nowhere')).status);
  assert.deepEqual([...new Set(statuses.slice(0, 300))], [404]);
  assert.deepEqual(statuses.slice(300), [429, 429]);
  assert.equal((await owner.post('/console/nowhere')).status, 404);
  assert.equal((await flooder.get(`${base}/today`)).status, 200);
});

test('a form that is sent again without its key, or with another’s, books nothing twice', async () => {
  const path = `${base}/bookings/new`;
  const form: Record<string, string> = {
    ...fieldsOf((await owner.get(path)).text, path),
    name: 'Only Once',
  };
  const date = new Date(app.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => owner.post(path, { ...form, date, time: '10:00' })),
  );
  assert.deepEqual([...new Set(answers.map(({ location }) => location))].length, 1);
  assert.equal(answers[0]?.status, 303);
  assert.ok(form['key']);
  assert.equal((await owner.post(path, { ...form, key: '', date, time: '10:30' })).status, 422);
  const rows = await db.query(`SELECT FROM booking WHERE contact_name = 'Only Once'`, []);
  assert.equal(rows.length, 1);
});

test('no page shows a viewer a phone or an e-mail, wherever it stands (specification: The console 4)', async () => {
  const [phone, email] = ['0491 570 159', 'quentin@zephyr.example'];
  const { status, body } = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, {
      ...{ customerName: 'Quentin', customerPhone: phone, customerEmail: email },
      ...{ carMake: 'Peugeot 491-570-159', carModel: '208', carYear: 2019 },
      notes: `Call ${phone}, +61 491 570 159, 491/570·159 or 0491\u200b570\u2060159, ${email}`,
      bookingTime: new Date(app.clock.now().getTime() + 600_000).toISOString(),
    }),
  );
  assert.equal(status, 201, JSON.stringify(body));
  const mine = `${base}/bookings/${body.booking.id}`;
  const seen: string[] = [];
  for (const path of [...pages.filter((each) => !each.includes(':')), mine]) {
    const { text } = await viewer.get(path);
    const digits = text.replaceAll(/[\s()/·\u200b\u2060-]/g, '');
    assert.doesNotMatch(digits, /491570159|quentin@zephyr|tel:\+?61491/i, path);
    seen.push(text);
  }
  assert.match(seen.join(), /Quentin/);
  assert.match(seen.at(-1) ?? '', /2019 Peugeot … 208/);
  assert.match((await owner.get(mine)).text, /quentin@zephyr/);
});

test('a page that follows by itself is no visit: /console leads to the workshop that was opened last (specification: The console 1)', async () => {
  const other = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const kim = await signedInPerson(app, [workshopId, other]);
  await kim.get(`${base}/today`);
  const follows = await fetch(`${app.url}${await baseOf(app, other)}/today`, {
    headers: { cookie: kim.cookie, 'pitlane-follows': 'yes' },
  });
  assert.equal(follows.status, 200);
  assert.equal((await kim.get('/console')).location, `${base}/today`);
});

test('who works for no workshop is led on: a developer to what they work with, an operator to the commands (specification: The console 2)', async () => {
  const kim = await signedInPerson(app, []);
  assert.match((await kim.get('/console')).text, /<h1>Nothing here yet<\/h1>/);
  await db.query('UPDATE person SET is_operator = true WHERE id = $1', [kim.personId]);
  assert.match((await kim.get('/console')).text, /<h1>For operators<\/h1>.*npx pitlane.*href="\/docs"/s);
  await db.query('INSERT INTO developer (person_id, partner_id, created_at) VALUES ($1, $2, now())', [
    kim.personId,
    partner.partnerId,
  ]);
  const { text } = await kim.get('/console');
  assert.match(text, /<h1>For developers<\/h1>.*href="\/docs\/guide\/partner-guide".*href="\/docs"/s);
});

test('a page says what it shows, with the switch that pauses it; a form, and what was refused, can not be paused', async () => {
  const today = await owner.get(`${base}/today`);
  assert.match(today.text, /<main [^>]*data-stream="[^"]*\/changes" data-live="booking [^"]*"/);
  assert.match(today.text, /role="switch" id="pause"[^>]*> Pause updates</);
  const refused = await owner.post(`${base}/today/note`, { date: '', text: 'x'.repeat(3_000) });
  assert.equal(refused.status, 422);
  for (const { text } of [await owner.get(`${base}/bookings/new`), await owner.get(`${base}/print`), refused])
    assert.doesNotMatch(text, /data-stream|role="switch"/);
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
  const { customerId } = body.booking;
  const customer = `${base}/customers/${customerId}`;
  const its = `data-live="customer:${customerId}`;
  assert.ok((await owner.get(customer)).text.includes(`${its} message:${customerId} attendance"`));
  for (const form of ['correct', 'message', 'opt-in', 'erase', 'export'])
    assert.match(
      (await owner.get(`${customer}/${form}`)).text,
      new RegExp(`${its}" data-version="1" data-form`),
    );
});
