/** Long because the texts and the page of their link share one app. How reminders and campaigns are stopped (specification: Opting out 5 and 6). */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { readSmsConfig } from '#base/config/sms-gateways.ts';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { previewBlast } from '#product/campaigns/blasts/preview.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { automationWorld } from '../../../test/fixtures/campaigns.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { sendDueReminders } from '../reminders/schedule/send-due.ts';
import { purgeWayOuts } from './store.ts';
import { type WayOutWorkshop, wayOutFor } from './way-out.ts';

const publicUrl = 'https://pitlane.example';
const world = await automationWorld({ config: { publicUrl, trustProxy: true } });
const { app, db, context, partner, workshopId, customers, blast, template, trigger: triggerRun } = world;
const { clock, config } = context;

const set = (settings: object, id = workshopId) => setWorkshop(context, id, settings, actors.operator);
await set({ smsSender: 'Harbour' });
beforeEach(async () => {
  await db.query('DELETE FROM attempt');
  await db.query('UPDATE customer SET opted_out_at = NULL');
  app.sms.clear();
});

const [twilioSid, token] = [`AC${'0'.repeat(32)}`, '0123456789abcdef'];
const gateways = (names: string, more: Record<string, string> = {}) => ({
  ...config,
  ...readSmsConfig({
    ...{ PITLANE_SMS_GATEWAYS: names, PITLANE_PUBLIC_URL: publicUrl, SMPP_URL: 'smpp://smsc.example' },
    ...{ SMPP_SYSTEM_ID: 'u', SMPP_PASSWORD: 'p', TWILIO_ACCOUNT_SID: twilioSid, TWILIO_AUTH_TOKEN: 't' },
    ...{
      KANNEL_USERNAME: 'u',
      KANNEL_PASSWORD: 'p',
      KANNEL_CALLBACK_TOKEN: token,
      TWILIO_FROM: '+61400000000',
    },
    ...more,
  }),
});
const workshop: WayOutWorkshop = {
  ...{ phone: '+61355501234', country: 'AU' },
  ...{ smsSender: null, smsGateways: null, smsAccounts: [] },
};

test('always: "Reply STOP" only where an answer comes here from every gateway that may send', () => {
  const named = { SMPP_SOURCE: 'Pitlane' };
  const numbered = { SMPP_SOURCE: '+61488880001' };
  const nz = { ...workshop, country: 'NZ', phone: '+6493001234' };
  for (const [what, its, settings, way, text] of [
    ['the sandbox', workshop, config, 'reply', /^Reply STOP to end$/],
    ['a gateway that decides', workshop, gateways('kannel'), 'reply', /^Reply STOP to end$/],
    ['its own number', { ...workshop, smsSender: '+61488880002' }, gateways('smpp', named), 'reply', /end$/],
    ['its own name', { ...workshop, smsSender: 'Harbour' }, gateways('smpp', numbered), 'link', /\/u\//],
    ["the gateway's name", workshop, gateways('smpp', named), 'link', /\/u\//],
    ["the gateway's number", workshop, gateways('smpp', numbered), 'reply', /end$/],
    ["the second gateway's name", workshop, gateways('twilio,smpp', named), 'link', /\/u\//],
    [
      'a second gateway that it has not chosen',
      { ...workshop, smsGateways: ['twilio'] },
      gateways('twilio,smpp', named),
      ...(['reply', /end$/] as const),
    ],
    [
      'its own account in place of a name',
      { ...workshop, smsAccounts: ['twilio'] },
      gateways('twilio', { TWILIO_FROM: 'Pitlane' }),
      ...(['reply', /end$/] as const),
    ],
    [
      'a number that is another phone',
      { ...workshop, smsSender: '+61488880002' },
      { ...gateways('smpp'), smsOneWay: ['+61488880002'] },
      ...(['link', /\/u\//] as const),
    ],
    [
      'a gateway whose answers go elsewhere',
      workshop,
      { ...gateways('kannel'), smsOneWay: ['kannel'] },
      ...(['link', /\/u\//] as const),
    ],
    [
      'a short code of New Zealand',
      { ...nz, smsSender: '2441' },
      gateways('kannel'),
      ...(['reply', /^Reply STOP to end \(answers cost your standard rate\)$/] as const),
    ],
    [
      'a free one',
      { ...nz, smsSender: '2441' },
      { ...gateways('kannel'), smsFreeReplies: ['2441'] },
      ...(['reply', /^Reply STOP to end$/] as const),
    ],
    [
      'no public address, elsewhere',
      { ...nz, country: 'GB', phone: '+442079460000', smsSender: 'Harbour' },
      { ...config, publicUrl: null },
      ...(['call', /^To stop these texts call 020 7946 0000$/] as const),
    ],
    [
      'no public address, in Australia',
      { ...workshop, smsSender: 'Harbour' },
      { ...config, publicUrl: null },
      ...(['none', /^$/] as const),
    ],
  ] as const) {
    const found = wayOutFor(its, settings);
    assert.equal(found.way, way, what);
    assert.match(found.text, text, what);
  }
});

const linkIn = (text = '') =>
  /https:\/\/pitlane\.example(\/u\/[0-9A-HJKMNP-TV-Z]{10})$/.exec(text)?.[1] ?? '';

async function remind(changes: object = {}, key?: string) {
  const [customerId = ''] = await customers(1);
  const body = { workshopId, customerId, ...changes };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await partner.call('POST', '/reminders/services', body, { headers });
  const [row] = await db.query<{ phone: string }>('SELECT phone FROM customer WHERE id = $1', [customerId]);
  return { customerId, phone: row?.phone ?? '', ...answer };
}

async function texted() {
  const { customerId, phone } = await remind();
  return { customerId, phone, path: linkIn(app.sms.to(phone)[0]?.body) };
}

async function call(method: 'GET' | 'POST', path: string, cookie = '', from = '192.0.2.1') {
  const headers = { 'x-forwarded-for': from, ...(cookie !== '' && { cookie }) };
  const response = await fetch(`${app.url}${path}`, { method, headers, redirect: 'manual' });
  const { status } = response;
  const kept = response.headers.get('set-cookie');
  const [pair = ''] = (kept ?? '').split(';');
  return {
    status,
    kept,
    cookie: pair,
    location: response.headers.get('location'),
    text: await response.text(),
  };
}

const isOptedOut = async (id: string) =>
  (
    await db.query<{ out: boolean }>('SELECT opted_out_at IS NOT NULL AS out FROM customer WHERE id = $1', [
      id,
    ])
  )[0]?.out;
const kindOf = (line: string) => /^customer\.(\w+)/.exec(line)?.[1];
const eventsOf = async (id: string) =>
  (
    await db.query<{ line: string }>(
      `SELECT kind || ' by ' || actor AS line FROM event WHERE subject_id = $1 AND kind LIKE 'customer.%' ORDER BY id`,
      [id],
    )
  ).map(({ line }) => line);

test('always: a reminder, a blast and an automation from a name carry a link each; the preview counts the same', async () => {
  const links = new Set<string>();
  const { phone, path } = await texted();
  assert.match(app.sms.to(phone)[0]?.body ?? '', /with code \w{8}\. Stop these texts: https:\S+$/);
  links.add(path);

  await db.query('UPDATE customer SET opted_out_at = now()');
  const three = await customers(3);
  const id = await blast({ template: await template('Winter tyres. Reply STOP to end') });
  const { examples } = await previewBlast(context, id);
  await partner.call('POST', `${world.blasts}/${id}/trigger`, {});
  await world.work();
  for (const { phone: to, text, segments } of examples) {
    const [sms] = app.sms.to(to ?? '');
    assert.match(sms?.body ?? '', /^Harbour Motors: Winter tyres\.\nStop these texts: /);
    assert.equal(sms?.body.length, text?.length);
    const [row] = await db.query<{ segments: number }>('SELECT segments FROM message WHERE recipient = $1', [
      to,
    ]);
    assert.equal(row?.segments, segments);
    links.add(linkIn(sms?.body));
  }
  const automation = await world.automation();
  await triggerRun(automation, { customerId: three[0] });
  app.sms.clear();
  await world.work();
  links.add(linkIn(app.sms.sent[0]?.body));
  assert.equal(links.size, 5, 'each text has a code of its own');
  for (const link of links) assert.equal((await call('GET', link)).status, 200);
});

test('always: the page changes nothing until its button is pressed, and shows two digits alone', async () => {
  const { customerId, phone, path } = await texted();
  const { status, text, kept } = await call('GET', path);
  assert.deepEqual([status, kept], [200, null]);
  assert.match(text, /<button class="button danger">Stop texts of Harbour Motors<\/button>/);
  assert.match(text, new RegExp(`the number that ends in ${phone.slice(-2)}\\.`));
  assert.match(text, /Texts about your bookings stop too/);
  assert.doesNotMatch(text, new RegExp(`${phone.slice(-6)}|C1`));
  assert.equal((await app.request('HEAD', path)).status, 200);
  assert.equal(await isOptedOut(customerId), false);

  const sent = app.sms.sent.length;
  const stopped = await call('POST', path);
  assert.deepEqual([stopped.status, stopped.location], [303, path]);
  assert.match(
    stopped.kept ?? '',
    new RegExp(`; Path=${path}; Max-Age=600; HttpOnly; SameSite=Lax; Secure$`),
  );
  assert.equal(await isOptedOut(customerId), true);
  await app.drain();
  assert.equal(app.sms.sent.length, sent, 'no SMS confirms it');
  assert.deepEqual(await eventsOf(customerId), ['customer.optedOut by customer link']);
  const [entry] = await db.query<{ actor: string }>(
    `SELECT actor FROM audit_entry WHERE subject_id = $1 AND action = 'customer.optedOut'`,
    [customerId],
  );
  assert.equal(entry?.actor, 'customer link');
  const { sms } = (await partner.call('POST', '/reminders/services', { workshopId, customerId })).body;
  assert.equal(sms.reason, 'optedOut');
  const codes = await db.query('SELECT FROM way_out WHERE phone = $1', [phone]);
  assert.equal(codes.length, 1, 'no code is kept of a text that is not tried');
  // Once more changes nothing.
  assert.deepEqual([(await call('POST', path)).kept, (await eventsOf(customerId)).length], [null, 1]);
});

test('always: the same browser takes it back within ten minutes, and no other; not over a STOP that came since', async () => {
  const { customerId, path } = await texted();
  const { cookie } = await call('POST', path);
  const other = await call('GET', path);
  // Nobody can answer the sender, with START either.
  assert.doesNotMatch(other.text, /I did not mean it|START|still come/);
  const settings = config as { optOutExemptCountries: readonly string[] };
  const { optOutExemptCountries } = settings;
  settings.optOutExemptCountries = ['AU'];
  assert.match((await call('GET', path)).text, /Texts about your bookings still come/);
  settings.optOutExemptCountries = optOutExemptCountries;
  assert.deepEqual(
    [(await call('POST', `${path}/undo`)).location, await isOptedOut(customerId)],
    [path, true],
  );
  assert.match((await call('GET', path, cookie)).text, /I did not mean it/);
  await db.query('UPDATE customer SET version = version + 1 WHERE id = $1', [customerId]);
  await call('POST', `${path}/undo`, cookie);
  assert.equal(await isOptedOut(customerId), true, 'another STOP has come');

  await db.query('UPDATE customer SET opted_out_at = NULL WHERE id = $1', [customerId]);
  const again = await call('POST', path);
  const undone = await call('POST', `${path}/undo`, again.cookie);
  assert.match(undone.kept ?? '', /^pitlane-stopped=;.*Max-Age=0/);
  assert.equal(await isOptedOut(customerId), false);
  assert.deepEqual((await eventsOf(customerId)).slice(-2), [
    'customer.optedOut by customer link',
    'customer.optedIn by customer link',
  ]);

  const late = await call('POST', path);
  app.advance(601);
  await call('POST', `${path}/undo`, late.cookie);
  assert.equal(await isOptedOut(customerId), true, 'ten minutes are over');
  const elsewhere = await texted();
  await call('POST', elsewhere.path);
  await call('POST', `${elsewhere.path}/undo`, late.cookie);
  assert.equal(await isOptedOut(elsewhere.customerId), true, 'of another link');
});

test('it is taken back three times an hour at most, and stopping always works', async () => {
  const { customerId, path } = await texted();
  for (let n = 0; n < 3; n++) await call('POST', `${path}/undo`, (await call('POST', path)).cookie);
  assert.equal(await isOptedOut(customerId), false);
  const { cookie } = await call('POST', path);
  const refused = await call('POST', `${path}/undo`, cookie);
  assert.deepEqual([refused.status, await isOptedOut(customerId)], [429, true]);
});

test('always: wrong codes are bounded, a right one is answered all the same; another site’s form is refused', async () => {
  const { customerId, path } = await texted();
  for (let n = 0; n < 10; n++) assert.equal((await call('POST', '/u/0000000000')).status, 404);
  const refused = await call('GET', '/u/0000000000');
  assert.equal(refused.status, 429);
  assert.equal((await call('GET', path)).status, 200);
  const headers = { origin: 'https://else.example', 'x-forwarded-for': '192.0.2.1' };
  assert.equal((await fetch(`${app.url}${path}`, { method: 'POST', headers })).status, 403);
  assert.equal(await isOptedOut(customerId), false);
});

test('always: it is for that number at that workshop alone', async () => {
  const { customerId, phone, path } = await texted();
  const elsewhere = await linkedWorkshop(app, [partner], { name: 'Other Motors' });
  await partner.call('POST', '/reminders/services', { workshopId: elsewhere, customerPhone: phone });
  await call('POST', path);
  const rows = await db.query<{ out: boolean }>(
    'SELECT opted_out_at IS NOT NULL AS out FROM customer WHERE phone = $1 AND workshop_id = $2',
    [phone, elsewhere],
  );
  assert.deepEqual([await isOptedOut(customerId), rows], [true, [{ out: false }]]);
});

test('always: of two who were merged the link of either stops both, and is taken back for both', async () => {
  const [one, two] = [await texted(), await texted()];
  const both = [{ customerId: one.customerId }, { customerId: two.customerId }] as const;
  await mergeCustomers(context, { workshopId, both, actor: actors.operator });
  for (const { path, customerId } of [one, two]) {
    const { cookie } = await call('POST', path);
    assert.deepEqual([await isOptedOut(one.customerId), await isOptedOut(two.customerId)], [true, true]);
    assert.match((await call('GET', path, cookie)).text, /I did not mean it/);
    await call('POST', `${path}/undo`, cookie);
    assert.deepEqual([await isOptedOut(one.customerId), await isOptedOut(two.customerId)], [false, false]);
    // As by STOP: of the one with that number, of whom its partners hear.
    assert.deepEqual((await eventsOf(customerId)).map(kindOf), ['optedOut', 'optedIn']);
  }
});

test('always: it ends after 60 days, with the erasure, and with a number that is nobody’s any more', async () => {
  const [kept, corrected, erased] = [await texted(), await texted(), await texted()];
  await db.query(`UPDATE customer SET phone = '+61491579999' WHERE id = $1`, [corrected.customerId]);
  await eraseCustomer(context, erased.customerId, actors.operator);
  for (const { path, customerId } of [corrected, erased]) {
    assert.equal((await call('POST', path)).status, 404);
    assert.equal(await isOptedOut(customerId), false);
  }
  assert.deepEqual(await db.query('SELECT FROM way_out WHERE phone = $1', [erased.phone]), []);
  app.advance(60 * 86_400 - 60);
  assert.equal((await call('GET', kept.path)).status, 200);
  app.advance(120);
  assert.equal((await call('GET', kept.path)).status, 404);
  await purgeWayOuts(db, clock.now());
  assert.deepEqual(await db.query('SELECT FROM way_out WHERE phone = $1', [kept.phone]), []);
});

test('always: in Australia without a public address nothing goes from a name: noWayOut', async (t) => {
  const settings = config as { publicUrl: string | null };
  settings.publicUrl = null;
  t.after(() => {
    settings.publicUrl = publicUrl;
  });
  const key = 'no-way-out';
  const { status, body, phone, customerId } = await remind({}, key);
  assert.deepEqual([status, body.success, body.sms.reason], [201, false, 'noWayOut']);
  assert.equal(body.serviceReminder.status, 'failed');
  const letters = await db.query('SELECT FROM dead_letter');
  assert.equal(letters.length, 0);
  const due = await partner.call('POST', '/reminders/services', {
    ...{ workshopId, customerId, sendAt: new Date(clock.now().getTime() + 1_000).toISOString() },
  });
  app.advance(2);
  await sendDueReminders(context);
  await app.drain();
  const { id } = due.body.serviceReminder;
  assert.equal(
    (await partner.call('GET', `/reminders/services/${id}`)).body.serviceReminder.status,
    'failed',
  );

  const automation = await world.automation();
  await triggerRun(automation, { customerId });
  await db.query('UPDATE customer SET opted_out_at = now() WHERE id <> $1', [customerId]);
  const made = await blast();
  assert.equal((await previewBlast(context, made)).examples[0]?.fault, 'noWayOut');
  await partner.call('POST', `${world.blasts}/${made}/trigger`, {});
  await world.work();
  const [run] = await world.runs(automation);
  assert.deepEqual([run?.status, run?.reason], ['skipped', 'noWayOut']);
  const { counts } = await world.read(made);
  assert.deepEqual([counts.recipients, counts.skipped], [1, 1]);
  assert.deepEqual(app.sms.to(phone), []);

  // Once there is an address, the same request goes out.
  settings.publicUrl = publicUrl;
  const again = await partner.call(
    'POST',
    '/reminders/services',
    { workshopId, customerId },
    { headers: { 'idempotency-key': key } },
  );
  assert.equal(again.body.success, true);
  assert.equal((await call('GET', linkIn(app.sms.to(phone)[0]?.body))).status, 200);
});

test('a reminder by schedule keeps quiet hours; its dueDate stays (specification: Service reminders 10)', async () => {
  world.until(20, 30);
  const sendAt = new Date(clock.now().getTime() + 60_000).toISOString();
  const { body, phone } = await remind({ sendAt });
  app.advance(61);
  await sendDueReminders(context);
  await app.drain();
  assert.deepEqual(app.sms.to(phone), []);
  world.until(8, 1);
  await db.query('UPDATE queued_message SET due_at = clock_timestamp()');
  await db.query('UPDATE send_queue SET next_at = clock_timestamp()');
  await app.drain();
  assert.equal(app.sms.to(phone).length, 1);
  const { id } = body.serviceReminder;
  const { dueDate, status } = (await partner.call('GET', `/reminders/services/${id}`)).body.serviceReminder;
  assert.deepEqual([dueDate, status], [sendAt, 'sent']);
});
