/** The report of a workshop over HTTP: its dates, its files, whose numbers they are, and who may read them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { baseOf, type Person, peopleOf } from '../../../test/fixtures/office.ts';
import { fillReport } from '../../../test/fixtures/workshop-report.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
app.clock.setAdvance(Math.round((Date.parse('2030-03-03T23:10:00Z') - Date.now()) / 1_000));
const { db } = app.context;
const partner = await signedInPartner(app, '=HYPERLINK("http://x"),"Fleet"');
const [workshopId, elsewhereId] = [
  await linkedWorkshop(app, [partner]),
  await linkedWorkshop(app, [partner]),
];
const [base, elsewhere] = [await baseOf(app, workshopId), await baseOf(app, elsewhereId)];
const people = await peopleOf(app, workshopId);
const { owner, viewer } = people;
let other: Person;

before(async () => {
  other = (await peopleOf(app, elsewhereId)).owner;
  const { body } = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { bookingTime: '2030-03-03T23:30:00Z' }),
  );
  await fillReport(db, { bookingId: body.booking.id, partner });
});

/** As RFC 4180 has it. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '') break;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
const file = async (query: string, by: Person = owner, at = base) => by.get(`${at}/report/csv?${query}`);
async function table(query: string, by?: Person, at?: string) {
  const { status, text } = await file(query, by, at);
  assert.equal(status, 200, text);
  const [head = [], ...rows] = parsed(text);
  for (const row of rows) assert.equal(row.length, head.length, String(row));
  return rows.map((row) => Object.fromEntries(head.map((name, n) => [name, row[n] ?? ''])));
}
const sum = (rows: readonly Record<string, string>[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name]), 0);

test('the page has the figures, each plot with its name and its table, and no style of its own (specification: The report of a workshop 7)', async () => {
  const { status, text, headers } = await viewer.get(`${base}/report`);
  assert.equal(status, 200);
  assert.match(text, /5 Feb – 4 Mar 2030<\/strong>, beside 8 Jan – 4 Feb 2030 before/);
  for (const title of ['Bookings by day', 'Did not come by day', 'Quotes by day', 'Segments sent by day'])
    assert.match(text, new RegExp(`<title id="[\\w-]+">${title}</title>`));
  assert.doesNotMatch(text, /NaN|undefined|\sstyle="/);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(text, /<a class="button quiet" href="[^"]*period=4-weeks" aria-current="true">Last 4 weeks</);
});

test('a file has what the page has, in the order of the periods, whatever they are (specification: The report of a workshop 6)', async () => {
  const dates = 'from=2029-12-20&to=2030-03-04';
  const days = await table(`table=bookings&${dates}&by=day`);
  assert.equal(days.length, 75);
  assert.equal(days[0]?.['Period'], '2029-12-20');
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM booking WHERE workshop_id = $1 AND date >= '2029-12-19 13:00Z' AND date < '2030-03-04 13:00Z'`,
    [workshopId],
  );
  assert.ok(count > 300);
  for (const by of ['day', 'week', 'month']) {
    const rows = await table(`table=bookings&${dates}&by=${by}`);
    assert.equal(sum(rows, 'Bookings'), count, by);
    assert.equal(rows.at(-1)?.['To'], '2030-03-04');
  }
  const [sources, all, kinds] = [
    await table(`table=sources&${dates}`),
    await table(`table=all&${dates}`),
    await table(`table=kinds&${dates}`),
  ];
  assert.equal(sum(sources, 'Bookings'), count);
  assert.equal(sum(all, 'Bookings'), count);
  assert.equal(sum(all, 'Texts: segments sent'), sum(kinds, 'Segments sent'));
  assert.ok(sum(all, 'Quotes: value won') > 0 && sum(kinds, 'Received') > 0);
});

test('no name of a partner is a formula, and each file says whose it is and of which dates (specification: The report of a workshop 6)', async () => {
  const { text, headers } = await file('table=sources&from=2030-03-01&to=2030-03-04');
  assert.equal(
    headers.get('content-disposition'),
    `attachment; filename="report-${base.split('/').at(-1)}-sources-2030-03-01-to-2030-03-04.csv"`,
  );
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(parsed(text)[1]?.[0], `'=HYPERLINK("http://x"),"Fleet"`);
  assert.doesNotMatch((await owner.get(`${base}/report`)).text, /<b>=HYPER|"Fleet"/);
});

test('a day of 23 or 25 hours, weeks from Monday and months have what is theirs alone (specification: The report of a workshop 1)', async () => {
  const at = ['2030-04-06T12:59:00Z', '2030-04-06T13:00:00Z', '2030-04-07T13:59:00Z', '2030-04-07T14:00:00Z'];
  for (const bookingTime of at) {
    const { status } = await partner.call('POST', '/bookings', bookingBody(elsewhereId, { bookingTime }));
    assert.equal(status, 201);
  }
  const by = async (name: string, dates = 'from=2030-04-06&to=2030-04-08') =>
    (await table(`table=bookings&${dates}&by=${name}`, other, elsewhere)).map((row) => [
      row['Period'],
      row['Bookings'],
    ]);
  assert.deepEqual(await by('day'), [
    ['2030-04-06', '1'],
    ['2030-04-07', '2'],
    ['2030-04-08', '1'],
  ]);
  assert.deepEqual(await by('week'), [
    ['2030-W14', '3'],
    ['2030-W15', '1'],
  ]);
  assert.deepEqual(await by('month', 'from=2030-03-31&to=2030-05-01'), [
    ['2030-03', '0'],
    ['2030-04', '4'],
    ['2030-05', '0'],
  ]);
});

test('another workshop has none of it, and its report is not found by whoever is not of it', async () => {
  const rows = await table('table=all&from=2029-12-20&to=2030-03-04', other, elsewhere);
  assert.equal(sum(rows, 'Bookings') + sum(rows, 'Quotes: asked') + sum(rows, 'Texts: sent'), 0);
  for (const path of ['report', 'report/csv?table=all']) {
    assert.equal((await other.get(`${base}/${path}`)).status, 404);
    assert.equal((await people.technician.get(`${base}/${path}`)).status, 403);
  }
});

test('what is no date, no period and no table is refused by name, and what was typed stays (specification: The report of a workshop 1)', async () => {
  for (const [query, words] of [
    ['from=2030-02-30&to=x', /From must be a date.*To must be a date/s],
    ['from=2030-03-01', /To must be a date/],
    ['from=2030-03-02&to=2030-03-01', /To must not be before From/],
    ['from=2029-01-01&to=2030-03-01', /at most 399 days after From/],
    ['from=1999-12-31&to=2000-01-01', /From must be from 2000-01-01/],
    ['by=year', /By must be day, week or month/],
    ['period=decade', /Period must be one of week, 4-weeks, month, last-month, 12-months/],
  ] as const) {
    for (const path of ['report', 'report/csv']) {
      const { status, text } = await owner.get(`${base}/${path}?${query}`);
      assert.equal(status, 422, query);
      assert.match(text, words);
    }
  }
  assert.match(
    (await owner.get(`${base}/report?from=2030-03-02&to=2030-03-01`)).text,
    /name="from" type="date" value="2030-03-02"/,
  );
  assert.equal((await file('table=people')).status, 404);
  assert.equal((await owner.get(`${base}/report?from=2029-03-01&to=2030-04-04`)).status, 200, '400 days');
});

test('what was deleted meanwhile is said, and nothing is compared with it (specification: The report of a workshop 5)', async () => {
  const { text } = await owner.get(`${base}/report?period=12-months`);
  assert.match(text, /Notices from before 5 Dec 2029 are deleted by now/);
  assert.match(text, /Not all of those before are kept/);
  assert.doesNotMatch((await owner.get(`${base}/report?period=week`)).text, /are deleted by now|are kept/);
});
