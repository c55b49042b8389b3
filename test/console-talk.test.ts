/** Long because it is one story. The console's day goes on: what a missed call leads to, from the quote and its booking to the last answer, and what partners, the report and the trail have of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SegmentedMessage } from 'sms-segments-calculator';
import { sendDueTexts } from '#product/messaging/inbox/later/send-due.ts';
import { logbook } from './fixtures/catalogue.ts';
import { talksAt } from './fixtures/conversations.ts';
import { baseOf, fieldsOf, peopleOf } from './fixtures/office.ts';
import { pictures } from './fixtures/pictures.ts';
import { at, placesWorld } from './fixtures/places.ts';
import { keepSignedIn } from './fixtures/reminder-api.ts';
import { publishedTemplate } from './fixtures/templates.ts';

const { app, partner, workshop } = await placesWorld();
const { db, clock } = app.context;
/** Sets the business clock to that time of Monday 29 March 2027, or that many days later. */
const setTime = (time: string, day = 0) =>
  app.advance(Math.round((Date.parse(at(time, day)) - clock.now().getTime()) / 1_000));
const phone = '+61491570313';
const name = 'Ava Nguyen';

test('a call that nobody took becomes a quote, a booking, a talk and a reminder, and all of it is counted', async () => {
  setTime('09:00');
  await keepSignedIn(app);
  const workshopId = await workshop({ services: [logbook] }, { bays: 2 });
  const base = await baseOf(app, workshopId);
  const people = await peopleOf(app, workshopId);
  const { adviser: kim, owner: lee } = people;
  const talks = talksAt(app, partner, workshopId);
  const templateId = await publishedTemplate(
    { db, clock },
    { workshopId, name: 'We look at it', body: 'Hi {{ customer.firstName }}, we will have a look at it.' },
  );

  /** A page, as Kim reads it. */
  const read = async (path: string, by = kim) => {
    const { status, text } = await by.get(`${base}/${path}`);
    assert.equal(status, 200, path);
    return text;
  };
  /** Sends a form of a page; resolves to the path that it leads to, below the workshop's. */
  const does = async (
    page: string,
    action: string,
    typed: Readonly<Record<string, string>> = {},
    by = kim,
  ) => {
    const { status, location, text } = await by.submit(`${base}/${page}`, `${base}/${action}`, typed);
    assert.equal(status, 303, `${action}: ${text}`);
    return (location ?? '').replace(`${base}/`, '').replace(/\?.*/, '');
  };
  const byPartner = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await partner.call(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  /** What waits, on Today. */
  const waits = async () => {
    const counts = /<ul class="counts">(.*?)<\/ul>/s.exec(await read('today'))?.[1] ?? '';
    return Object.fromEntries(
      [...counts.matchAll(/<span>([^<]+)<\/span> <strong>(\d+)/g)].map(([, what, count]) => [
        what,
        Number(count),
      ]),
    );
  };

  // Somebody rang, and nobody took it.
  const lead = await byPartner('POST', '/leads/calls', {
    ...{ workshopId, callerPhone: phone, customerName: name, calledAt: at('08:39:30'), outcome: 'missed' },
  });
  assert.deepEqual(await waits(), { 'Missed calls': 1 });
  const call = `calls/${lead.callLead.id}`;
  const calls = await read('calls');
  for (const shown of [name, 'href="tel:+61491570313"', '20 min', `href="${base}/quotes/new?call=`])
    assert.ok(calls.includes(shown), shown);

  // A quote is made of it: nobody has to call back any more, and it waits for its price.
  const asked = `quotes/new?call=${lead.callLead.id}`;
  assert.match(await read(asked), /value="Ava Nguyen"/);
  const quote = await does(asked, 'quotes/new', {
    ...{ rego: '1AB2CD', name, phone: '0491 570 313', other: 'Brakes squeal' },
  });
  assert.deepEqual(await waits(), { 'Quotes to price': 1 });
  assert.match(await read(call), new RegExp(`<strong>${kim.name}</strong> called back`));
  const { id: quoteId } = (await byPartner('GET', `/${quote}`)).quote;
  assert.match(await read('quotes'), new RegExp(`href="${base}/${quote}">Brakes squeal</a>`));
  await app.drain();
  assert.deepEqual(app.sms.sent, []);

  // Priced: a line of one's own, and one of the catalogue.
  const own = { title1: 'Front pads and discs', quantity1: '2', price1: '94.50' };
  const drafted = await kim.submit(`${base}/${quote}`, `${base}/${quote}/price`, {});
  assert.equal(drafted.status, 422);
  const withLine = await kim.post(`${base}/${quote}/draft`, {
    ...{ ...fieldsOf(await read(quote), `${base}/${quote}/price`), ...own },
    ...{ service: 'logbook', do: 'add', validDays: '14', tell: 'yes' },
  });
  assert.match(withLine.text, /name="title2"[^>]*value="Logbook service"/);
  assert.match(withLine.text, /name="price2"[^>]*value="199\.00"/);
  assert.match(withLine.text, /Total <strong>\$388\.00</);
  const catalogued = { title2: 'Logbook service', quantity2: '1', price2: '199.00' };
  const priced = await kim.post(`${base}/${quote}/price`, {
    ...fieldsOf(withLine.text, `${base}/${quote}/price`),
    ...{ ...own, ...catalogued, validDays: '14', message: 'Both front wheels.', tell: 'yes' },
  });
  assert.equal(priced.status, 303, priced.text);
  await app.drain();
  assert.deepEqual(
    app.sms.sent.map(({ to, body }) => [to, /quote/i.test(body)]),
    [[phone, true]],
  );
  assert.deepEqual(await waits(), {});
  assert.match(await read('quotes?filter=quoted'), /\$388\.00/);

  // Yes, says the customer on the phone.
  const free = await read(`${quote}/accept?at=${encodeURIComponent(at('09:00', 1))}`);
  assert.match(free, /9:00 am/);
  await does(`${quote}/accept`, `${quote}/accept`, { date: '2027-03-30', time: '09:00', tell: 'yes' });
  await app.drain();
  const accepted = (await byPartner('GET', `/quotes/${quoteId}`)).quote;
  assert.equal(accepted.status, 'accepted');
  const booking = `bookings/${accepted.bookingId}`;
  const { booking: booked } = await byPartner('GET', `/${booking}`);
  assert.deepEqual([new Date(booked.date).toISOString(), booked.status], [at('09:00', 1), 'pending']);
  const week = await read('week?from=2027-03-29');
  const tuesday = week.slice(
    week.indexOf('aria-label="Tue 30 Mar"'),
    week.indexOf('aria-label="Wed 31 Mar"'),
  );
  assert.match(tuesday, /1 booking · 1 to confirm/);
  assert.match(
    tuesday,
    new RegExp(`<span>9:00 am</span> <span class="bays">1 of 2 bays</span>.*?${booking}`, 's'),
  );

  // Its partner texts; the customer answers with a picture.
  await talks.texted({ phone }, 'Please bring the service book.');
  const picture = { contentType: 'image/jpeg', base64: pictures['image/jpeg']?.toString('base64') ?? '' };
  await talks.heard({ phone }, 'Will do. What is this?', [picture]);
  assert.deepEqual(await waits(), { 'Bookings to confirm': 1, 'Answers to read': 1 });
  const talk = /href="[^"]*\/(inbox\/[\da-f-]{36})[?"]/.exec(await read('inbox'))?.[1] ?? assert.fail();
  const open = await read(talk);
  assert.match(open, /<strong>Partner <bdi>Example Fleet<\/bdi><\/strong>.*Please bring the service book/s);
  const [, image = ''] = /<img src="([^"]*)" alt="Picture[^"]* from the customer/.exec(open) ?? [];
  assert.equal((await kim.get(image)).headers.get('content-type'), 'image/jpeg');

  // Noted, taken on, and answered from a template; the second person has read none of it yet.
  const answering = `${base}/${talk}/answer`;
  const late = fieldsOf(await read(talk, lee), answering);
  await does(talk, `${talk}/note`, { note: 'That is the sway bar link' });
  await does(talk, `${talk}/assign`, { to: kim.personId });
  assert.match(await read(talk), /Assigned to <bdi>adviser/);
  const filled = await kim.post(`${base}/${talk}/preview`, {
    ...{ ...fieldsOf(await read(talk), answering), template: templateId, fill: 'yes' },
  });
  const [, text = ''] = /<textarea id="answer"[^>]*>\n([^<]*)</.exec(filled.text) ?? [];
  assert.equal(text, 'Hi Ava, we will have a look at it.');
  await does(talk, `${talk}/answer`, { answer: text });
  assert.deepEqual(await waits(), { 'Bookings to confirm': 1 });
  const refused = await lee.post(answering, { ...late, answer: 'Can you call us?' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, new RegExp(`${kim.name}, [^<]*</p><p class="message">${text}`));
  assert.match(refused.text, /<textarea id="answer"[^>]*>\nCan you call us\?</);
  await app.drain();
  assert.deepEqual(app.sms.to(phone).at(-1)?.body, text);
  assert.ok(app.sms.sent.every(({ body }) => !/sway bar|Can you call/.test(body)));

  // What is sent later is held back once the customer has written; tried again, it goes.
  const later = { answer: 'See you at nine', date: '2027-03-29', time: '16:00' };
  const scheduled = await kim.post(`${base}/${talk}/later`, {
    ...{ ...fieldsOf(await read(talk), answering), ...later },
  });
  assert.equal(scheduled.status, 303, scheduled.text);
  assert.match(await read(talk), /<h2>To be sent later<\/h2>.*See you at nine/s);
  await talks.heard({ phone }, 'Could I come at ten?');
  setTime('16:01');
  await sendDueTexts(app.context);
  await app.drain();
  assert.deepEqual(await waits(), { 'Bookings to confirm': 1, 'Answers to read': 1, 'Texts that failed': 1 });
  for (const page of [talk, 'inbox?filter=failed']) {
    const shown = await read(page);
    assert.match(shown, /See you at nine/, page);
    assert.match(shown, /<span aria-hidden="true">!<\/span> Not sent: the customer wrote since/, page);
  }
  assert.notEqual(app.sms.to(phone).at(-1)?.body, later.answer);
  await does(talk, `${talk}/again`);
  await app.drain();
  assert.equal(app.sms.to(phone).filter(({ body }) => body === later.answer).length, 1);

  // Done; the customer writes, and waits again.
  await does(talk, `${talk}/done`);
  assert.deepEqual(await waits(), { 'Bookings to confirm': 1 });
  assert.match(await read('inbox?filter=done'), new RegExp(talk));
  await talks.heard({ phone }, 'Thanks!');
  assert.deepEqual(await waits(), { 'Bookings to confirm': 1, 'Answers to read': 1 });

  // A reminder is to be sent next month: it goes now.
  const { serviceReminder } = await byPartner('POST', '/reminders/services', {
    ...{ workshopId, customerPhone: phone, customerName: name, carRego: '1AB2CD', sendAt: at('10:00', 30) },
  });
  const reminder = `reminders/${serviceReminder.id}`;
  assert.match(await read('reminders'), new RegExp(`href="${base}/${reminder}#send"`));
  await does(reminder, `${reminder}/send`);
  await app.drain();
  assert.equal(
    (await byPartner('GET', `/reminders/services/${serviceReminder.id}`)).serviceReminder.status,
    'sent',
  );
  assert.match(await read('reminders?filter=sent'), new RegExp(reminder));

  // The report counts it, as does its file.
  const dates = 'from=2027-03-29&to=2027-04-04';
  const bodies = app.sms.sent.map(({ body }) => body);
  const segments = bodies.reduce((sum, body) => sum + new SegmentedMessage(body).segmentsCount, 0);
  const report = await read(`report?${dates}`);
  for (const figure of ['1 of 1 decided: $388.00', `${segments} segments`])
    assert.ok(report.includes(figure), `${figure}: ${report}`);
  const [head = [], ...days] = (await read(`report/csv?table=all&${dates}&by=day`))
    .trim()
    .split('\r\n')
    .map((line) => line.replace(/^\uFEFF/, '').split(','));
  const total = (column: string) => {
    const n = head.indexOf(column);
    assert.ok(n >= 0, `${column} in ${head}`);
    return days.reduce((sum, cells) => sum + Number(cells[n]), 0);
  };
  assert.deepEqual(
    ['Bookings', 'Pending', 'Quotes: won', 'Quotes: value won', 'Texts: sent', 'Texts: failed'].map(total),
    [1, 1, 1, 388, bodies.length, 1],
  );
  assert.deepEqual(['Texts: received', 'Texts: segments sent'].map(total), [3, segments]);

  // Who did each of it.
  const told = async (page: string) => {
    const shown = await read(page, lee);
    const trail = shown.slice(shown.indexOf('<h2>What changed</h2>'));
    return [...trail.matchAll(/<li><strong>([^<]+)<\/strong> ([^<]+) </g)]
      .map(([, who, what]) => `${who} ${what}`)
      .toReversed();
  };
  assert.deepEqual(await told(quote), [
    `${kim.name} asked for a price`,
    `${kim.name} sent a price`,
    `${kim.name} accepted it for the customer`,
  ]);
  assert.deepEqual(await told(talk), [
    `${kim.name} assigned the conversation`,
    `${kim.name} marked the conversation as done`,
  ]);
  assert.deepEqual(await told(call), [
    'Partner Example Fleet made it',
    'Partner Example Fleet said that nobody took it',
    `${kim.name} marked the call as called back`,
    'Schedule changed it',
  ]);
  assert.deepEqual(await told(booking), [`${kim.name} made it`]);
  assert.deepEqual(await told(reminder), [
    'Partner Example Fleet scheduled it',
    `${kim.name} had it sent now`,
    'Schedule sent it',
  ]);
  assert.deepEqual(await told(`customers/${booked.customerId}`), [
    `${kim.name} added a note`,
    `${kim.name} assigned the conversation`,
    `${kim.name} sent a text`,
    `${kim.name} wrote a text for later`,
    'Schedule held a text back',
    `${kim.name} sent a text`,
    `${kim.name} marked the conversation as done`,
  ]);
});
