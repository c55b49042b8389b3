/** Long because its tests share one office, whose start takes a second. Quotes in the browser: what waits, a price with its lines and previews, pricing again, declining, and accepting for a customer on the phone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { defaultSettings } from '#product/availability/set-up/setup.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { quoteEvents, quoteWorld } from '../../../test/fixtures/quote-api.ts';
import { freeTimes, pricedQuote } from '../../../test/fixtures/quote-pages.ts';

const world = await quoteWorld();
const { app, partner, workshopId, ask, read } = world;
const { db } = app.context;
await db.transaction((tx) =>
  writeSetup(tx, workshopId, { settings: { ...defaultSettings, bays: 2 } }, app.clock.now()),
);
const base = await baseOf(app, workshopId);
const { owner, adviser, viewer } = await peopleOf(app, workshopId);
const silent = await signedInPerson(app, [workshopId], 'adviser', { mayText: false });
const unseeing = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });

const pathOf = ({ id }: { readonly id: string }) => `${base}/quotes/${id}`;
const lines = {
  ...{ title1: 'Brake pads', quantity1: '2', price1: '94.50' },
  ...{ title2: 'Labour: front, and "rear"', quantity2: '1,5', price2: '$1,120.00' },
};
const terms = { validDays: '14', message: 'Both front wheels.', tell: 'yes' };
const priced = async (quote: { readonly id: string }, typed: object = {}, by = adviser) =>
  by.submit(pathOf(quote), `${pathOf(quote)}/price`, { ...lines, ...terms, ...typed });
const messagesOf = async (id: string) => {
  await app.drain();
  return db.query<{ channel: string; kind: string }>(
    `SELECT channel, message.kind FROM message JOIN event ON event.id = cause_id WHERE subject_id = $1 AND audience = 'customer' ORDER BY 1`,
    [id],
  );
};

test('what waits, the one that waits longest first, by pages; the others by their state', async () => {
  const first = await ask({ carRego: 'OLD111', services: [{ title: 'Oldest of all' }] });
  await app.clock.setAdvance(3 * 60 * 60);
  const second = await ask({ carRego: 'NEW111', services: [{ title: 'Newest of all' }] });
  const { text } = await adviser.get(`${base}/quotes`);
  assert.ok(text.indexOf('Oldest of all') < text.indexOf('Newest of all'));
  assert.match(text, /<strong>3 h<\/strong> <span class="quiet">since /);
  assert.match(text, /<strong>just now<\/strong>/);
  assert.match(text, new RegExp(`href="${pathOf(first)}"`));
  assert.match(text, new RegExp(`href="${base}/customers/${first.customerId}"`));
  assert.match(text, /data-live="quote customer clock"/);
  const next = await adviser.get(`${base}/quotes?after=${first.id}`);
  assert.doesNotMatch(next.text, /Oldest of all/);
  assert.match(next.text, /Newest of all/);
  assert.match((await adviser.get(`${base}/quotes?filter=quoted`)).text, /No quote waits for an answer/);
  await priced(first);
  const sent = (await adviser.get(`${base}/quotes?filter=quoted`)).text;
  assert.match(sent, /Oldest of all/);
  assert.match(sent, /\$1,869\.00/);
  assert.doesNotMatch((await adviser.get(`${base}/quotes`)).text, /Oldest of all/);
  await adviser.submit(`${pathOf(second)}/decline`, `${pathOf(second)}/decline`);
  assert.match((await adviser.get(`${base}/quotes?filter=declined`)).text, /Newest of all/);
});

test('a price: lines as they were typed, the customer is told, and the trail says who it was', async () => {
  const quote = await ask();
  const answer = await priced(quote);
  assert.deepEqual([answer.status, answer.location], [303, `${pathOf(quote)}?done=priced`]);
  const after = await read(quote.id);
  assert.deepEqual(
    [after.status, after.total, after.message, after.lines],
    [
      ...['quoted', 1869, 'Both front wheels.'],
      [
        { title: 'Brake pads', quantity: 2, unitPrice: 94.5, total: 189 },
        { title: 'Labour: front, and "rear"', quantity: 1.5, unitPrice: 1120, total: 1680 },
      ],
    ],
  );
  assert.deepEqual(await messagesOf(quote.id), [
    { channel: 'email', kind: 'quoteNotice' },
    { channel: 'sms', kind: 'quoteNotice' },
  ]);
  const { text } = await adviser.get(`${pathOf(quote)}?done=priced`);
  assert.match(text, new RegExp(`<strong>${adviser.name}</strong> sent a price`));
  assert.match(text, /What they see now/);
  assert.match(text, /We, SMS,/);
  assert.match(text, /Sent to the customer\./);
  assert.equal((await quoteEvents(app, quote.id)).at(-1)?.kind, 'quote.quoted');
});

test('nobody is told where that was not wished; priced again is a new price by the same rules (specification: Quotes 8)', async () => {
  const quote = await ask();
  const quiet = await priced(quote, { tell: '' });
  assert.equal(quiet.location, `${pathOf(quote)}?done=pricedQuietly`);
  assert.deepEqual(await messagesOf(quote.id), []);
  const shown = (await adviser.get(pathOf(quote))).text;
  assert.match(shown, /value="1120\.00"/);
  assert.match(shown, />\nBoth front wheels\.<\/textarea>/);
  await priced(quote, { title2: '', quantity2: '', price2: '' });
  assert.deepEqual([(await read(quote.id)).total, (await messagesOf(quote.id)).length], [189, 2]);
});

test('what can not be read is named by its line, and all that was typed is kept', async () => {
  const quote = await ask();
  const refused = await priced(quote, {
    ...{ quantity1: '-1', price2: '1,234', title3: 'Much', quantity3: '1', price3: '99999999' },
    ...{ title4: '', quantity4: '2', price4: '5', title5: 'No price', quantity5: '1', price5: '' },
    ...{ validDays: '0', message: 'Kept words' },
  });
  assert.equal(refused.status, 422);
  for (const fault of [
    /href="#quantity1">Quantity of line 1 must be above 0/,
    /href="#price2">Price of line 2 can be read in two ways/,
    /href="#price3">Price of line 3 must be from 0 to 9999999\.99/,
    /href="#title4">Title of line 4 must have 1 to 255/,
    /href="#price5">Price of line 5 must be from 0/,
    /href="#validDays">Valid for must be a whole number from 1 to 365/,
  ])
    assert.match(refused.text, fault);
  for (const kept of [
    /value="-1"/,
    /value="1,234"/,
    /value="99999999"/,
    /value="No price"/,
    />\nKept words</,
  ])
    assert.match(refused.text, kept);
  const none = await adviser.submit(pathOf(quote), `${pathOf(quote)}/price`, terms);
  assert.equal(none.status, 422);
  assert.match(none.text, /Lines: at least one is needed/);
  assert.equal((await read(quote.id)).status, 'requested');
});

test('an opt-out stops the SMS, also where it does not stop those of bookings', async () => {
  const quote = await ask({ customerPhone: '0491 570 157', carRego: 'OPT111' });
  await db.query('UPDATE customer SET opted_out_at = now() WHERE id = $1', [quote.customerId]);
  const { text } = await adviser.get(pathOf(quote));
  assert.match(text, /No SMS goes: the customer has opted out of SMS/);
  assert.match(text, /An e-mail goes/);
  assert.equal((await priced(quote)).status, 303);
  await app.drain();
  const sent = await db.query<{ channel: string; state: string }>(
    `SELECT channel, state FROM message JOIN event ON event.id = cause_id WHERE subject_id = $1 AND channel = 'sms' AND audience = 'customer' AND state <> 'failed'`,
    [quote.id],
  );
  assert.deepEqual(sent, []);
});

test('a line more or less, and what it comes to: nothing is sent, and the form keeps its version', async () => {
  await partner.call('GET', '/workshops');
  const quote = await ask();
  const path = pathOf(quote);
  const form = { ...fieldsOf((await adviser.get(path)).text, `${path}/price`), ...lines, ...terms };
  const draft = async (what: string, more: object = {}) =>
    adviser.post(`${path}/draft`, { ...form, ...more, do: what });
  const added = await draft('add');
  assert.equal(added.status, 200);
  assert.match(added.text, /name="title3"[^>]*autofocus/);
  assert.match(added.text, /Total <strong>\$1,869\.00<\/strong>/);
  assert.match(added.text, /Both front wheels\.<\/p>/);
  assert.match(added.text, /your quote for ABC123 is \$1,869\.00, valid until/);
  assert.match(added.text, /Your quote from .*: \$1,869\.00/);
  const removed = await draft('remove 1');
  assert.match(removed.text, /Total <strong>\$1,680\.00<\/strong>/);
  assert.match((await draft('up 2')).text, /name="title1"[^>]*value="Labour: front/);
  assert.match((await draft('look', { price1: 'x' })).text, /without the lines that are not filled in/);
  assert.match((await draft('look', { tell: '' })).text, /id="tell-quote" name="tell" value="yes">/);
  assert.equal((await read(quote.id)).status, 'requested');
  // Somebody else prices it meanwhile: the preview goes on, and sending it is refused.
  assert.equal((await priced(quote, {}, owner)).status, 303);
  assert.deepEqual(fieldsOf((await draft('look')).text, `${path}/price`)['version'], '1');
});

test('sent twice it is one price; sent too late it says who changed what, and keeps what was typed (specification: Quotes 8)', async () => {
  const quote = await ask();
  const path = pathOf(quote);
  const form = { ...fieldsOf((await adviser.get(path)).text, `${path}/price`), ...lines, ...terms };
  const twice = await Promise.all([1, 2].map(() => adviser.post(`${path}/price`, form)));
  assert.deepEqual(
    twice.map(({ location }) => location),
    [`${path}?done=priced`, `${path}?done=priced`],
  );
  assert.equal((await quoteEvents(app, quote.id)).length, 2);
  const late = await adviser.post(`${path}/price`, { ...form, key: crypto.randomUUID(), title1: 'Too late' });
  assert.equal(late.status, 422);
  assert.match(late.text, /Somebody changed this meanwhile/);
  assert.match(late.text, new RegExp(`<strong>${adviser.name}</strong> sent a price`));
  assert.match(late.text, /value="Too late"/);
  assert.equal((await read(quote.id)).total, 1869);
});

test('a typo in what is sent too late hides nothing: mended, it still says who changed what', async () => {
  const quote = await ask();
  const path = pathOf(quote);
  const accepting = { date: '2031-03-05', time: '03:00', tell: '' };
  const price = { ...fieldsOf((await adviser.get(path)).text, `${path}/price`), ...lines, ...terms };
  await priced(quote, {}, owner);
  const typo = await adviser.post(`${path}/price`, { ...price, price1: '1,234' });
  assert.match(typo.text, /Price of line 1 can be read in two ways/);
  const mended = { ...price, ...fieldsOf(typo.text, `${path}/price`), price1: '1' };
  const late = await adviser.post(`${path}/price`, mended);
  assert.equal(late.status, 422);
  assert.match(late.text, new RegExp(`<strong>${owner.name}</strong> sent a price`));
  assert.equal((await read(quote.id)).total, 1869);

  const accept = fieldsOf((await adviser.get(`${path}/accept`)).text, `${path}/accept`);
  await priced(quote, { price1: '500' }, owner);
  const noTime = await adviser.post(`${path}/accept`, { ...accept, ...accepting, time: '25:00' });
  assert.equal(noTime.status, 422);
  const again = { ...fieldsOf(noTime.text, `${path}/accept`), ...accepting };
  const dearer = await adviser.post(`${path}/accept`, { ...again, anyway: 'yes', reason: 'As they wish' });
  assert.equal(dearer.status, 422);
  assert.match(dearer.text, /Somebody changed this meanwhile/);
  assert.equal((await read(quote.id)).status, 'quoted');
});

test('over while its forms are open: it is called expired, and nothing is changed', async () => {
  const quote = await pricedQuote(world);
  const path = pathOf(quote);
  const [accept, decline] = [
    fieldsOf((await adviser.get(`${path}/accept`)).text, `${path}/accept`),
    fieldsOf((await adviser.get(`${path}/decline`)).text, `${path}/decline`),
  ];
  await db.query(`UPDATE quote SET valid_until = $2::timestamptz - interval '1 second' WHERE id = $1`, [
    ...[quote.id, app.clock.now()],
  ]);
  const typed = { date: '2031-03-05', time: '10:00' };
  const answers = [
    await adviser.post(`${path}/accept`, { ...accept, ...typed }),
    await adviser.post(`${path}/decline`, decline),
  ];
  for (const { status, text } of answers) {
    assert.equal(status, 422);
    assert.match(text, /a quote that is expired can(?:'|&#39;)t be/);
  }
  const [row] = await db.query('SELECT status, booking_id FROM quote WHERE id = $1', [quote.id]);
  assert.deepEqual(row, { status: 'quoted', bookingId: null });
});

test('the customer declines while it is priced again: it stays declined, and what was typed is there', async () => {
  const quote = await pricedQuote(world);
  const path = pathOf(quote);
  const form = { ...fieldsOf((await adviser.get(path)).text, `${path}/price`), ...lines, ...terms };
  const page = await fetch(`${app.url}/q/${quote.code}/decline`, { method: 'POST' });
  assert.equal(page.status, 200);
  const late = await adviser.post(`${path}/price`, form);
  assert.equal(late.status, 422);
  assert.match(late.text, /Customer by link<\/strong> declined it/);
  assert.match(late.text, /value="Labour: front, and &quot;rear&quot;"/);
  assert.equal((await read(quote.id)).status, 'declined');
});

test('accepted by phone: a booking of the partner at that time, and the trail says that it was for the customer', async () => {
  const quote = await pricedQuote(world);
  const path = pathOf(quote);
  const [time = ''] = await freeTimes(world, 2);
  const shown = await adviser.get(`${path}/accept?at=${time}`);
  assert.match(shown.text, /name="date" type="date" value="\d{4}-\d\d-\d\d"/);
  assert.match(shown.text, /Free times<\/h2>/);
  const typed = { at: time, date: '', time: '', tell: 'yes' };
  const form = { ...fieldsOf(shown.text, `${path}/accept`), ...typed };
  const answers = await Promise.all([1, 2].map(() => adviser.post(`${path}/accept`, form)));
  assert.deepEqual(
    answers.map(({ location }) => location),
    [`${path}?done=accepted`, `${path}?done=accepted`],
  );
  const after = await read(quote.id);
  assert.equal(after.status, 'accepted');
  const { body } = await partner.call('GET', `/bookings/${after.bookingId}`);
  assert.equal(body.booking.date, time);
  const accepted = (await quoteEvents(app, quote.id)).at(-1);
  assert.deepEqual(
    [accepted?.kind, accepted?.payload['notifyWorkshop'], accepted?.payload['notifyCustomer']],
    ['quote.accepted', false, false],
  );
  assert.equal((await messagesOf(after.bookingId ?? '')).length, 2);
  const { text } = await adviser.get(path);
  assert.match(text, new RegExp(`<strong>${adviser.name}</strong> accepted it for the customer`));
  assert.match(text, new RegExp(`href="${base}/bookings/${after.bookingId}"`));
  // There is nothing to accept any more.
  assert.equal((await adviser.get(`${path}/accept`)).location, path);
});

test('a time that is not free is refused with others; Book anyway takes it with a reason (specification: Quotes 8)', async () => {
  const quote = await pricedQuote(world);
  const path = pathOf(quote);
  const night = { date: '2031-03-05', time: '03:00', tell: '' };
  const refused = await adviser.submit(`${path}/accept`, `${path}/accept`, night);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Book anyway/);
  assert.match(refused.text, /value="2031-03-05"/);
  // In words for people, not for programs.
  assert.match(refused.text, /<p>The workshop is closed then, or closes before the work is done<\/p>/);
  const past = await adviser.submit(`${path}/accept`, `${path}/accept`, {
    date: '2020-03-05',
    time: '10:00',
  });
  assert.equal(past.status, 422);
  assert.match(past.text, /This time has begun already.*Book anyway/s);
  for (const typed of [
    { date: '', time: '' },
    { date: '2031-03-05', time: '25:00' },
  ])
    assert.equal((await adviser.submit(`${path}/accept`, `${path}/accept`, typed)).status, 422);
  const short = await adviser.submit(`${path}/accept`, `${path}/accept`, {
    ...night,
    ...{ anyway: 'yes', reason: 'x' },
  });
  assert.match(short.text, /must say why/);
  assert.equal((await read(quote.id)).status, 'quoted');
  const made = await adviser.submit(`${path}/accept`, `${path}/accept`, {
    ...night,
    ...{ anyway: 'yes', reason: 'They can only come at night' },
  });
  assert.equal(made.status, 303);
  const { bookingId } = await read(quote.id);
  assert.deepEqual(await messagesOf(bookingId ?? ''), []);
  assert.match(
    (await adviser.get(`${base}/bookings/${bookingId}`)).text,
    /Booked anyway: They can only come/,
  );
});

test('declined by the workshop: nobody is told; too late says who changed what', async () => {
  const quote = await ask();
  const path = pathOf(quote);
  const form = fieldsOf((await adviser.get(`${path}/decline`)).text, `${path}/decline`);
  assert.equal((await priced(quote, {}, owner)).status, 303);
  const late = await adviser.post(`${path}/decline`, form);
  assert.equal(late.status, 422);
  assert.match(late.text, new RegExp(`<strong>${owner.name}</strong> sent a price`));
  assert.equal((await adviser.submit(`${path}/decline`, `${path}/decline`)).status, 303);
  const declined = (await quoteEvents(app, quote.id)).at(-1);
  assert.deepEqual(
    [declined?.kind, declined?.payload['notifyWorkshop'], declined?.payload['notifyCustomer']],
    ['quote.declined', false, false],
  );
});

test('who may not word texts prices nothing and still answers for the customer; who sees no phones is shown none', async () => {
  const quote = await pricedQuote(world, {
    ...{ notes: 'Ring 0491 570 006 or sam@customer.example', carMake: 'Ford, 0491 570 006' },
    carModel: 'of sam@customer.example',
  });
  const path = pathOf(quote);
  const { text } = await silent.get(path);
  assert.doesNotMatch(text, /Send quote/);
  assert.match(text, /Accept by phone/);
  assert.equal((await silent.post(`${path}/price`, {})).status, 403);
  assert.equal((await silent.post(`${path}/draft`, {})).status, 403);
  const seen = await viewer.get(path);
  assert.equal(seen.status, 200);
  assert.doesNotMatch(seen.text, /Send quote|Accept by phone|Decline/);
  for (const page of [seen, await unseeing.get(path), await unseeing.get(`${path}/accept`)])
    assert.doesNotMatch(page.text.replaceAll(/[\s()-]/g, ''), /491570006|sam@customer|tel:/);
  assert.match((await owner.get(path)).text, /sam@customer\.example/);
});

test('a quote of a call: it is the partner’s whose call it was, nobody is told, and it waits for a price (specification: Quotes 9)', async () => {
  const { status, body } = await partner.call('POST', '/leads/calls', {
    ...{ workshopId, callerPhone: '0491 570 158', customerName: 'Cal Ler', outcome: 'missed' },
    calledAt: app.clock.now().toISOString(),
  });
  assert.equal(status, 201, JSON.stringify(body));
  const call = body.callLead.id;
  const marks = () =>
    db.query<{ action: string; actor: string; state: string }>(
      `SELECT action, audit_entry.actor, call_back.state FROM audit_entry JOIN call_back ON call_lead_id = subject_id WHERE subject_id = $1`,
      [call],
    );
  const waits = async () => (await adviser.get(`${base}/calls`)).text.includes(`id="call-${call}"`);
  const page = `${base}/quotes/new?call=${call}`;
  assert.match((await adviser.get(page)).text, /value="\+61491570158"|value="0491 570 158"/);
  const form = fieldsOf((await adviser.get(page)).text, `${base}/quotes/new`);
  const refused = await adviser.post(`${base}/quotes/new`, { ...form, name: 'Cal Ler' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /href="#rego">Registration/);
  assert.match(refused.text, /href="#service">Service/);
  assert.deepEqual([await marks(), await waits()], [[], true]);
  const typed = { name: 'Cal Ler', rego: 'cal 1er', service: 'Clutch slips' };
  const twice = await Promise.all(
    [1, 2].map(() => unseeing.post(`${base}/quotes/new`, { ...form, ...typed })),
  );
  assert.equal(twice[0]?.status, 303);
  assert.equal(twice[0]?.location, twice[1]?.location);
  const id = /quotes\/([\da-f-]{36})/.exec(twice[0]?.location ?? '')?.[1] ?? '';
  // The caller waits no more, by the same commit, and the trail says once whose doing that was.
  assert.deepEqual(await marks(), [
    { action: 'callLead.calledBack', actor: `person ${unseeing.personId}`, state: 'called' },
  ]);
  assert.equal(await waits(), false);
  assert.equal((await partner.call('GET', `/leads/calls/${call}`)).body.callLead.bookingId, null);
  const quote = await read(id);
  assert.deepEqual(
    [quote.status, quote.car.rego, quote.customer.phone, quote.customer.email, quote.services[0]?.title],
    ['requested', 'CAL1ER', '+61491570158', null, 'Clutch slips'],
  );
  const [made] = await quoteEvents(app, id);
  assert.deepEqual([made?.kind, made?.payload['notifyWorkshop']], ['quote.requested', false]);
  assert.equal((await priced({ id }, { tell: 'yes' })).status, 303);
  assert.deepEqual(await messagesOf(id), [{ channel: 'sms', kind: 'quoteNotice' }]);
  assert.equal((await adviser.get(`${base}/quotes/new?call=${newId()}`)).status, 404);
  assert.equal((await viewer.get(page)).status, 403);
});
