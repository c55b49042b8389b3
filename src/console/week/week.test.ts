/** The week: the description of each day, what may be moved, closing days and bays from it, and what others may see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { closeBays } from '#product/bookings/staff/close.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { dayWorld } from '../../../test/fixtures/day-world.ts';
import { fieldsOf } from '../../../test/fixtures/office.ts';

const { app, shop: shopWith } = await dayWorld();
const { context } = app;
const { db } = context;
const actor = actors.operator;
const shop = (setUp: object = {}) => shopWith({ settings: { bays: 4 }, ...setUp });

/** Of the page, the day of that name. */
function dayOf(text: string, name: string): string {
  const from = text.indexOf(`aria-label="${name}">`);
  assert.ok(from > 0, name);
  return text.slice(from, text.indexOf('</ol></section>', from));
}

/** What a day says of its hours, in words. */
const loads = (day: string) =>
  [...day.matchAll(/class="load"><span>([^<]*)<\/span> <span class="bays[^"]*">([^<]*)</g)].map(
    ([, time, load]) => `${time} ${load}`,
  );

test('each day: bookings, those to confirm, hours and their load, limits, its note, closed bays, a holiday', async () => {
  const { workshopId, people, base, book } = await shop({
    categories: [{ code: 'tyres', dailyLimit: 2 }],
    services: [{ catalogCode: 'log', title: 'Logbook', category: 'tyres', dailyLimit: 5 }],
    custom: [
      { date: '2030-03-11', hours: [], note: 'Labour Day' },
      { date: '2030-03-08', hours: [{ from: '10:00', to: '12:00' }], bays: 2, note: 'Short Friday' },
    ],
  });
  const [logbook] = await db.query<{ id: string }>(
    'SELECT id FROM catalogue_service WHERE workshop_id = $1',
    [workshopId],
  );
  const tyres = { title: 'New tyres', category: 'tyres' };
  await book('2030-03-04T22:00:00Z', { services: [tyres] });
  // Counts under its own limit, and by its other item under the category's.
  await book('2030-03-04T22:15:00Z', { services: [{ catalogId: logbook?.id }, tyres] });
  await setDayNote(context, { workshopId, date: '2030-03-06', text: 'Ring 0491 570 006', seen: 0, actor });
  const close = (bays: string, reason: string, day: string) =>
    closeBays(context, { workshopId, bays, reason, day, actor });
  await close('1', 'Hoist 2', '2030-03-07');
  await close('all', 'Stocktake', '2030-03-08');
  const { text } = await people.viewer.get(`${base}/week?from=2030-03-05`);

  const tuesday = dayOf(text, 'Tue 5 Mar');
  assert.match(tuesday, /2 bookings · 2 to confirm/);
  assert.match(tuesday, /■<\/span> Tyres 2 of 2, full.*<li>Logbook 1 of 5</);
  assert.match(tuesday, /Open 08:00 to 17:00/);
  assert.deepEqual(loads(tuesday).slice(1, 4), [
    '9:00 am 2 of 4 bays',
    '10:00 am 0 of 4 bays',
    '11:00 am 0 of 4 bays',
  ]);
  assert.equal(loads(tuesday).length, 9);
  assert.match(dayOf(text, 'Wed 6 Mar'), /Note: <\/span>Ring /);
  assert.doesNotMatch(text, /0491 570 006/);
  const thursday = dayOf(text, 'Thu 7 Mar');
  assert.match(thursday, /A bay closed all day: Hoist 2/);
  assert.equal(loads(thursday)[0], '8:00 am 1 of 4 bays, 1 closed');
  const friday = dayOf(text, 'Fri 8 Mar');
  assert.match(friday, /Open 10:00 to 12:00 <span class="mark">◆ Short Friday/);
  assert.deepEqual(loads(friday), ['10:00 am 2 of 2 bays, all closed', '11:00 am 2 of 2 bays, all closed']);
  assert.match(dayOf(text, 'Sat 9 Mar'), /Closed</);
  assert.match(dayOf(text, 'Mon 11 Mar'), /Closed <span class="mark">◆ Labour Day/);
  const table = text.slice(text.indexOf('<table'), text.indexOf('</table>'));
  assert.match(table, /<th scope="col">Tue 5 Mar<\/th>.*<th scope="row">9:00 am<\/th><td>2 of 4 bays<\/td>/s);
});

test('seven days from today on, or from any date; a day is today by the business clock', async () => {
  const { people, base } = await shop();
  const { owner } = people;
  const { text } = await owner.get(`${base}/week`);
  assert.match(text, /Mon 4 Mar to Sun 10 Mar/);
  assert.match(
    dayOf(text, 'Mon 4 Mar'),
    /aria-current="date">Mon 4 Mar<\/a> <span class="mark strong">Today/,
  );
  assert.match(text, /The clock of this installation was moved/);
  assert.match(text, /href="[^"]*week\?from=2030-02-25" aria-label="The week before"/);
  assert.match(text, /href="[^"]*\/print\?date=2030-03-05" aria-label="Print Tue 5 Mar"/);
  assert.doesNotMatch(text, />This week</);
  const later = (await owner.get(`${base}/week?from=2030-03-11`)).text;
  assert.match(later, /Mon 11 Mar to Sun 17 Mar/);
  assert.match(later, /href="[^"]*\/week">This week</);
  assert.doesNotMatch(later, /aria-current="date"/);
  assert.match((await owner.get(`${base}/week?from=2030-02-31`)).text, /Mon 4 Mar to Sun 10 Mar/);
});

test('weeks in which clocks change: the hour that comes twice is there twice, the skipped one on no day of it', async () => {
  const night = [{ from: '00:00', to: '06:00' }];
  const { people, base, book } = await shop({
    custom: ['2030-04-06', '2030-04-07', '2030-10-06'].map((date) => ({ date, hours: night })),
  });
  await book('2030-04-06T16:30:00Z', { carRego: 'TWICE2' });
  const hoursOf = (day: string) => loads(day).map((load) => load.replace(/ \d of.*/, ''));
  const autumn = (await people.owner.get(`${base}/week?from=2030-04-06`)).text;
  const long = dayOf(autumn, 'Sun 7 Apr');
  assert.deepEqual(hoursOf(long).slice(1, 5), ['1:00 am', '2:00 am AEDT', '2:00 am AEST', '3:00 am']);
  assert.match(long, /2:00 am AEST<\/span> <span class="bays">1 of 4 bays.*TWICE2/);
  assert.equal(hoursOf(dayOf(autumn, 'Sat 6 Apr')).length, 6);
  // The hours after it stand in the same rows on both days.
  const rowsOf = (day: string) => [...day.matchAll(/class="cell (h\d+)/g)].map(([, row]) => row);
  assert.deepEqual(rowsOf(long).at(-1), rowsOf(dayOf(autumn, 'Sat 6 Apr')).at(-1));
  assert.match(autumn, /<th scope="row">2:00 am, the second<\/th><td>closed<\/td><td>1 of 4 bays/);
  const spring = dayOf((await people.owner.get(`${base}/week?from=2030-10-06`)).text, 'Sun 6 Oct');
  assert.deepEqual(hoursOf(spring).slice(0, 3), ['12:00 am', '1:00 am', '3:00 am']);
});

test('a car that stays over days stands in the first hour of each, and is named on one without hours; a busy hour leads on', async () => {
  const { people, base, book } = await shop();
  const { id } = await book('2030-03-07T23:30:00Z', { carRego: 'LONG1' });
  await db.query(`UPDATE booking SET occupied_until = occupied_from + interval '73 hours' WHERE id = $1`, [
    id,
  ]);
  const { text } = await people.owner.get(`${base}/week?from=2030-03-08`);
  assert.match(dayOf(text, 'Fri 8 Mar'), /LONG1<\/strong> <span class="when">10:30 am/);
  assert.match(dayOf(text, 'Sat 9 Mar'), /0 bookings|1 booking/);
  assert.match(dayOf(text, 'Sat 9 Mar'), /Booked since Fri 8 Mar 2030, 10:30 am/);
  assert.match(
    dayOf(text, 'Mon 11 Mar'),
    /8:00 am<\/span> <span class="bays">1 of 4 bays.*LONG1<\/strong> <span class="when">since Fri 8 Mar/s,
  );
  assert.equal(text.match(/class="handle"/g)?.length, 1, 'it is moved where it begins');
});

test('closing a day or bays, and opening them again, leads back to the week; what is wrong is said there', async () => {
  const { people, base } = await shop();
  const { adviser } = people;
  const [page, action] = [`${base}/week?from=2030-03-04`, `${base}/week/close`];
  const wrong = await adviser.submit(page, action, {
    first: '2030-03-06',
    last: '2030-03-05',
    bays: 'x',
    reason: '',
  });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /<h1>Week.*<details open>.*id="first"[^>]*value="2030-03-06".*value="x"/s);
  for (const fault of ['last">To must not be before from', 'bays">How many bays must', 'reason">Reason must'])
    assert.ok(wrong.text.includes(`href="#${fault}`), fault);
  const past = await adviser.submit(page, action, { first: '2030-03-01', bays: '1', reason: 'Too late' });
  assert.match(past.text, /href="#last">To is over/);
  const closed = await adviser.submit(page, action, { first: '2030-03-06', bays: 'all', reason: 'Training' });
  assert.deepEqual(
    [closed.status, closed.location],
    [303, `${base}/week?from=2030-03-04&done=closed&booked=0`],
  );
  const after = await adviser.get(closed.location ?? '');
  assert.match(after.text, /role="status">Closed\./);
  assert.match(dayOf(after.text, 'Wed 6 Mar'), /All bays closed all day: Training/);
  assert.match(dayOf(after.text, 'Wed 6 Mar'), /data-open="0+"/);
  // Today as well it is the whole day.
  const today = await adviser.submit(page, action, { first: '2030-03-04', bays: '1', reason: 'Hoist' });
  assert.equal(today.status, 303);
  assert.match(dayOf((await adviser.get(page)).text, 'Mon 4 Mar'), /A bay closed all day: Hoist/);
  const reopen = fieldsOf((await adviser.get(page)).text, `${base}/week/reopen`);
  const [one, two] = await Promise.all([1, 2].map(() => adviser.post(`${base}/week/reopen`, reopen)));
  assert.deepEqual(
    [one?.status, two?.status, one?.location],
    [303, 303, `${base}/week?from=2030-03-04&done=reopened`],
  );
  const [left] = await db.query<{ count: number }>('SELECT count(*)::integer FROM bay_block', []);
  assert.equal((await adviser.get(page)).text.match(/Open again</g)?.length, 1, `${left?.count}`);
});

test('always: a closing over days says how many bookings lie in it before and after; a series is opened again at once', async () => {
  const { people, base, book, workshopId } = await shop();
  const { adviser, viewer } = people;
  await book('2030-03-05T22:30:00Z', { carRego: 'IN1' });
  await book('2030-03-14T22:30:00Z', { carRego: 'IN2' });
  await book('2030-03-26T22:30:00Z', { carRego: 'OUT1' });
  const [page, action] = [`${base}/week?from=2030-03-04`, `${base}/week/close`];
  assert.match((await adviser.get(page)).text, /“Check” says how many lie in it/);
  const holiday = { first: '2030-03-05', last: '2030-03-18' };
  const checked = (query: object) => adviser.get(`${page}&${new URLSearchParams({ ...query })}`);
  const before = (await checked(holiday)).text;
  assert.match(
    before,
    /<details open>.*id="closing-count"><p class="notice">2 bookings lie in it, and stay\./s,
  );
  assert.match(before, /id="last"[^>]*value="2030-03-18"/);
  assert.match(
    (await checked({ ...holiday, first: '2030-03-07', last: '2030-03-08' })).text,
    />No booking lies in it\./,
  );
  assert.match((await checked({ first: 'soon' })).text, /“Check” says/);
  const fields = { ...fieldsOf(before, action), ...holiday, bays: 'all', reason: 'Holiday' };
  const [one, two] = await Promise.all([1, 2].map(() => adviser.post(action, fields)));
  assert.deepEqual([one?.status, two?.status, one?.location], [303, 303, two?.location]);
  assert.match(
    (await adviser.get(one?.location ?? '')).text,
    /role="status">Closed\. 2 bookings lie in it, and stay\./,
  );
  const count = async () =>
    (
      await db.query<{ count: number }>('SELECT count(*)::integer FROM bay_block WHERE workshop_id = $1', [
        workshopId,
      ])
    )[0]?.count;
  assert.equal(await count(), 1, 'a double click is one closing');
  assert.match(
    dayOf((await adviser.get(`${base}/week?from=2030-03-12`)).text, 'Mon 18 Mar'),
    /All bays closed all day: Holiday/,
  );

  const weekly = {
    first: '2030-03-20',
    begins: '12:00',
    ends: '17:00',
    repeat: 'weekly',
    until: '2030-04-30',
  };
  assert.match((await checked(weekly)).text, /6 closings\. No booking lies in it\./);
  const endless = await adviser.submit(page, action, { ...weekly, until: '2040-01-01', reason: 'Training' });
  assert.match(endless.text, /href="#until">Until makes too many closings: at most 60/);
  assert.equal((await adviser.submit(page, action, { ...weekly, reason: 'Training' })).status, 303);
  assert.equal(await count(), 7);
  const later = `${base}/week?from=2030-03-26`;
  const { text } = await adviser.get(later);
  assert.match(text, /A bay<\/strong> Training.*>Open all of its series</s);
  assert.doesNotMatch((await adviser.get(page)).text, /Open all of its series/);
  assert.equal((await viewer.post(action, fields)).status, 403);
  const reopen = { ...fieldsOf(text, `${base}/week/reopen`), series: 'yes' };
  assert.equal((await adviser.post(`${base}/week/reopen`, reopen)).status, 303);
  assert.equal(await count(), 1);
});

test('who may not change bookings has neither handles nor forms; names that are numbers are masked', async () => {
  const { people, base, book } = await shop();
  await book('2030-03-05T22:30:00Z', { customerName: '0491 570 006', carRego: 'NUM1' });
  assert.match((await people.adviser.get(`${base}/week`)).text, /NUM1.*0491 570 006.*class="handle"/s);
  for (const person of [people.technician, people.viewer]) {
    const { text } = await person.get(`${base}/week`);
    assert.match(text, /NUM1/);
    assert.doesNotMatch(text, /day\.mjs|data-times|class="handle"|id="proposal"|week\/close/);
  }
  assert.doesNotMatch((await people.viewer.get(`${base}/week`)).text.replaceAll(/\s/g, ''), /491570006/);
});
