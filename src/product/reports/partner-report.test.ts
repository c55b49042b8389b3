/** GET /reports/partner (specification: Partner report), over HTTP. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { reportWorld } from '../../../test/fixtures/report-world.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { countNames, none } from './counts.ts';

const { app, partner, other, workshopId, elsewhere, wednesday, wednesdays, thursdays } = await reportWorld();
const { db, clock } = app.context;
const both = Object.fromEntries(countNames.map((name) => [name, wednesdays[name] + thursdays[name]]));

const dates = `from=${wednesday}&to=2027-03-19`;
const report = (query = dates, by = partner, headers = {}) =>
  by.call('GET', `/reports/partner?${query}`, undefined, { headers });

async function groups(query: string, by = partner) {
  const { status, body } = await report(query, by);
  assert.equal(status, 200, JSON.stringify(body));
  return body.groups;
}

test('by day: in UTC unless a zone or a workshop is named, with a row for every day (specification: Partner report 1)', async () => {
  const { status, body, headers } = await report(`${dates}&groupBy=day`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(body, {
    success: true,
    from: wednesday,
    to: '2027-03-19',
    timezone: 'UTC',
    groups: [
      { key: wednesday, ...both },
      { key: '2027-03-18', ...none },
      { key: '2027-03-19', ...none },
    ],
    totals: both,
  });
  assert.deepEqual(await groups(`${dates}&groupBy=day&timezone=Australia/Melbourne`), [
    { key: wednesday, ...wednesdays },
    { key: '2027-03-18', ...thursdays },
    { key: '2027-03-19', ...none },
  ]);
  const ofWorkshop = await report(`${dates}&groupBy=day&workshopId=${workshopId}`);
  assert.equal(ofWorkshop.body.timezone, 'Australia/Melbourne');
  assert.deepEqual(
    ofWorkshop.body.groups.map((group: typeof none) => group.bookingsCreated),
    [6, 1, 0],
  );
  const perth = `${dates}&groupBy=day&workshopId=${elsewhere.toUpperCase()}`;
  assert.deepEqual((await groups(perth))[0], {
    key: wednesday,
    ...none,
    bookingsCreated: 1,
    bookingsPending: 1,
  });
});

test('by week, month, workshop and not at all; the totals are always over all groups (specification: Partner report 1)', async () => {
  const keyed = async (groupBy: string) => {
    const { body } = await report(`from=2027-02-28&to=2027-03-31&groupBy=${groupBy}`);
    assert.deepEqual(body.totals, both);
    return body.groups.map(({ key, bookingsCreated }: { key: string; bookingsCreated: number }) => [
      key,
      bookingsCreated,
    ]);
  };
  assert.deepEqual(await keyed('week'), [
    ['2027-W08', 0],
    ['2027-W09', 0],
    ['2027-W10', 0],
    ['2027-W11', 8],
    ['2027-W12', 0],
    ['2027-W13', 0],
  ]);
  assert.deepEqual(await keyed('month'), [
    ['2027-02', 0],
    ['2027-03', 8],
  ]);
  const idle = await linkedWorkshop(app, [partner]);
  assert.deepEqual(await keyed('workshop'), [
    [workshopId, 7],
    [elsewhere, 1],
    [idle, 0],
  ]);
  assert.deepEqual(await groups(`${dates}&groupBy=workshop&workshopId=${elsewhere}`), [
    { key: elsewhere, ...none, bookingsCreated: 1, bookingsPending: 1 },
  ]);
  assert.deepEqual(await groups(dates), [{ key: 'total', ...both }]);
});

test('a delivery report and a change of status show at once', async () => {
  const today = `from=2027-03-18&to=2027-03-18&timezone=Australia/Melbourne`;
  const [message] = await db.query<{ id: string }>(
    `SELECT id FROM message WHERE kind = 'partnerMessage' AND body = 'On Thursday.'`,
  );
  const counted = async () => {
    const [{ messagesSent, messagesDelivered, messagesFailed }] = await groups(today);
    return [messagesSent, messagesDelivered, messagesFailed];
  };
  for (const [state, expected] of [
    ['delivered', [1, 1, 0]],
    ['undelivered', [1, 0, 1]],
    ['expired', [1, 0, 1]],
    ['unknown', [0, 0, 0]],
    ['sending', [0, 0, 0]],
    ['accepted', [1, 0, 0]],
  ] as const) {
    await db.query('UPDATE message SET state = $2 WHERE id = $1', [message?.id, state]);
    assert.deepEqual(await counted(), expected, state);
  }
});

test('tenants: each partner sees only its own counts; an inbound SMS counts for the partner that it is stored with', async () => {
  const [theirs] = await groups(dates, other);
  assert.deepEqual(theirs, {
    ...{ key: 'total', ...none },
    ...{ bookingsCreated: 1, bookingsPending: 1, messagesSent: 1, messagesReceived: 1, smsSegments: 1 },
  });
  const stranger = await signedInPartner(app, 'Stranger');
  assert.deepEqual((await report(dates, stranger)).body.totals, none);
  assert.deepEqual(await groups(`${dates}&groupBy=workshop`, stranger), []);
  for (const id of [workshopId, newId(), 'none'])
    assertProblem(await report(`${dates}&workshopId=${id}`, stranger), 404, '030001');
  const noToken = await app.request('GET', `/reports/partner?${dates}`, {
    headers: { 'x-partner-id': partner.partnerId },
  });
  assertProblem(noToken, 401, '010000');
});

test('a link that is off closes no report: past activity still counts', async () => {
  await setLink(
    { db, clock },
    { partnerId: partner.partnerId, workshopId: elsewhere, active: false },
    actors.operator,
  );
  assert.equal((await groups(`${dates}&workshopId=${elsewhere}`))[0].bookingsCreated, 1);
  await setLink(
    { db, clock },
    { partnerId: partner.partnerId, workshopId: elsewhere, active: true },
    actors.operator,
  );
});

test('text/csv: a header line and a line for each group (specification: Partner report 3)', async () => {
  const { status, headers, body } = await report(`${dates}&groupBy=day`, partner, { accept: 'text/csv' });
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.equal(headers.get('vary'), 'Accept');
  const line = (key: string, counts: Readonly<Record<string, number>>) =>
    [key, ...countNames.map((name) => counts[name])].join(',');
  assert.equal(
    body,
    [
      `key,${countNames.join(',')}`,
      line(wednesday, both),
      line('2027-03-18', none),
      line('2027-03-19', none),
      '',
    ].join('\r\n'),
  );
  const json = await report(dates, partner, { accept: 'text/csv;q=0.5, application/json' });
  assert.equal(json.body.success, true);
  assertProblem(await report('from=x&to=y', partner, { accept: 'text/csv' }), 400, '000001', ['from', 'to']);
});

test('400 names each bad field (specification: Partner report 1)', async () => {
  const bad: [string, string[]][] = [
    ['', ['from', 'to']],
    ['from=2027-03-01', ['to']],
    ['from=2027-02-29&to=2027-03-01', ['from']],
    ['from=2027-3-1&to=20270301', ['from', 'to']],
    ['from=2027-03-02&to=2027-03-01', ['to']],
    ['from=2027-01-01&to=2028-01-02', ['to']],
    ['from=1899-12-31&to=1900-01-01', ['from']],
    ['from=2199-12-31&to=2200-01-01', ['to']],
    [`${dates}&groupBy=year`, ['groupBy']],
    [`${dates}&timezone=Mars/Base`, ['timezone']],
    [`${dates}&timezone=%2B10:00`, ['timezone']],
    [`${dates}&timezone=AET`, ['timezone']],
    [`${dates}&timezone=CET`, ['timezone']],
    ['from=2027-03-02&to=2027-03-01&timezone=x', ['timezone', 'to']],
  ];
  for (const [query, fields] of bad) assertProblem(await report(query), 400, '000001', fields);
  const zone = await report(`${dates}&timezone=AET`);
  assert.match(JSON.stringify(zone.body.errors ?? zone.body), /the nearest is Australia\/Sydney/);
  const { body } = await report('from=2027-01-01&to=2028-01-02');
  assert.match(body.message, /at most 365 days after 2027-01-01/);
  for (const fine of ['from=2028-01-01&to=2028-12-31', `${dates}&groupBy=&timezone=&workshopId=`])
    assert.equal((await report(fine)).status, 200, fine);
});

test('it works without /v1 and with a slash at the end', async () => {
  for (const path of ['/v1/reports/partner', '/reports/partner/'])
    assert.equal((await partner.call('GET', `${path}?${dates}`)).body.totals.bookingsCreated, 8);
});
