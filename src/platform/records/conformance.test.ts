/** Long because one world serves the checks of every edge: each record's list, feed, reads, staff's commands and retention equal a check of each row. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { records } from '#records.ts';
import { fail, json, runHere, succeed } from '../../../test/command-line/run.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { type AnyListed, cases, type Item, recordWorld, references } from '../../../test/fixtures/records.ts';
import { settledFeed } from '../../../test/fixtures/settled-feed.ts';
import { purgeRecords } from './purge.ts';

const { app, db, partner, other, nobody, workshopId, shared, fill } = await recordWorld();
const { clock } = app.context;
const env = { DATABASE_URL: app.databaseUrl };
const dayMs = 86_400_000;

const instants = ['2030-03-01T00:00:00Z', '2030-03-05T22:30:00Z', '2030-03-12T09:30:00+11:00'];
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
type Query = Readonly<Record<string, string | number>>;

/** What each filter of a partner's lists and each option of staff's means, as a check of one row. */
const checks: Readonly<Record<string, (item: Item, value: string, instant: string) => boolean>> = {
  workshopId: (item, value) => item['workshopId'] === value.toLowerCase(),
  customerId: (item, value) => item['customerId'] === value.toLowerCase(),
  externalId: (item, value) => item['externalId'] === value,
  from: (item, value, instant) => Date.parse(item[instant] ?? '') >= Date.parse(value),
  to: (item, value, instant) => Date.parse(item[instant] ?? '') < Date.parse(value),
  status: (item, value) => item['status'] === value,
  outcome: (item, value) => item['outcome'] === value,
  limit: () => true,
  customer: (item, value) => item['customerId'] === value,
  partner: (item, value) => item['partnerId'] === value,
  // A part of what all have, so that each option is known to be taken; what it leaves out: test/command-line/booking-change.test.ts.
  rego: () => true,
  name: () => true,
  phone: (item, value) => String((item['customer'] as unknown as Item)['phone']).includes(value),
};

for (const record of records as readonly AnyListed[]) {
  const { name, plural, noun, table, state, order, hasFeed, notFound } = record;
  const { path, instant = '', byDate, goes } = cases[name];
  const { own, theirs } = await fill(record);
  const newest = own.toReversed();
  if (order !== 'id') {
    const keyOf = (item: Item) => `${item[order.key]} ${item.id}`;
    newest.sort((one, two) => (keyOf(one) < keyOf(two) ? 1 : -1));
  }
  const isAsked = (query: Query) => (item: Item) =>
    Object.entries(query).every(([filter, value]) => {
      const check = checks[filter] ?? assert.fail(`say in this file what the filter ${filter} means`);
      return check(item, String(value), instant);
    });
  const get = (query: Query, by = partner) => {
    const texts = Object.entries(query).map(([key, value]) => [key, String(value)]);
    return by.call('GET', `${path}?${new URLSearchParams(texts)}`);
  };

  async function walk(query: Query, by = partner): Promise<Item[]> {
    const found: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await get({ ...query, ...(cursor === '' ? {} : { cursor }) }, by);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(Object.keys(body).sort(), ['nextCursor', plural, 'success'].sort());
      const items: Item[] = body[plural];
      assert.ok(items.length <= Number(query['limit'] ?? 50));
      found.push(...items);
      cursor = body.nextCursor;
      assert.ok(cursor === null || items.length > 0, 'an empty page with a next one');
    }
    return found;
  }

  /** Values of each filter; of each that the declaration has. */
  const values: Readonly<Record<string, readonly string[]>> = {
    workshopId: [workshopId, shared.toUpperCase()],
    externalId: references,
    customerId: [own[3]?.['customerId']?.toUpperCase() ?? '', own[4]?.['customerId'] ?? '', 'x'],
    ...{ from: instants, to: instants, [state.name]: state.all },
  };
  const filterNames = [...Object.keys(record.filters), state.name];
  const queries = fc.record(
    {
      ...Object.fromEntries(
        filterNames.map((each) => [each, fc.constantFrom(...(values[each] ?? assert.fail(each)))]),
      ),
      limit: fc.constantFrom(3, 5, own.length, 200),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Query>;
  const endsEarly = ({ from, to }: Query) =>
    from !== undefined && to !== undefined && Date.parse(String(to)) < Date.parse(String(from));

  test(`${plural}: the partner’s own, newest first; for any filters and limit the list equals a check of each (specification: Service reminders 8; Lists and feeds 1, 2 and 4; Bookings 6)`, async () => {
    assert.deepEqual(await walk({}), newest);
    assert.deepEqual((await partner.call('GET', `/v1${path}/`)).body[plural], newest);
    for (const filter of filterNames) {
      for (const value of values[filter] ?? []) {
        const found = newest.filter(isAsked({ [filter]: value }));
        assert.deepEqual(
          idsOf(await walk({ [filter]: value, limit: 4 })),
          idsOf(found),
          `${filter}=${value}`,
        );
      }
    }
    const property = fc.asyncProperty(queries, async (query) => {
      if (endsEarly(query)) assertProblem(await get(query), 400, '000001', ['to']);
      else assert.deepEqual(idsOf(await walk(query)), idsOf(newest.filter(isAsked(query))));
    });
    if (instant !== '') {
      const backwards = { from: '2030-03-02T00:00:00Z', to: '2030-03-01T00:00:00Z' };
      assertProblem(await get(backwards), 400, '000001', ['to']);
    }
    await fc.assert(property, { numRuns: 10 });
    assert.deepEqual(await walk({ externalId: '' }), newest, 'an empty reference filters nothing');
    // Parameters that its list does not have are ignored, whatever they are to another.
    const known = [...filterNames, ...(hasFeed ? ['updatedSince'] : [])];
    for (const stranger of ['updatedSince', 'from', 'to', 'customerId', 'status', 'outcome']) {
      if (known.includes(stranger)) continue;
      for (const value of [instants[0] ?? '', 'x']) {
        assert.deepEqual((await get({ [stranger]: value })).body[plural], newest.slice(0, 50), stranger);
      }
    }
  });

  test(`${plural}: 400 names each field; a cursor goes with its list and its filters (specification: Lists and feeds 4)`, async () => {
    const wrong: Readonly<Record<string, string>> = {
      ...{ externalId: 'x'.repeat(256), from: '2030-03-01', to: 'tomorrow', [state.name]: 'nope' },
    };
    const fields = filterNames.filter((each) => wrong[each] !== undefined);
    const all = Object.fromEntries(fields.map((each) => [each, wrong[each] ?? '']));
    assertProblem(await get({ ...all, limit: 0 }), 400, '000001', [...fields, 'limit'].sort());
    for (const [query, field] of [
      [{ externalId: 'a\u0000' }, 'externalId'],
      [{ limit: 201 }, 'limit'],
      [{ limit: 'many' }, 'limit'],
      [{ cursor: 'x' }, 'cursor'],
    ] as const) {
      assertProblem(await get(query), 400, '000001', [field]);
    }
    const [one, two] = state.all;
    const twice = await partner.call('GET', `${path}?${state.name}=${one}&${state.name}=${two}`);
    assertProblem(twice, 400, '000001', [state.name]);

    const asked = { [state.name]: one ?? '', ...(instant === '' ? {} : { from: '2030-03-01T00:00:00Z' }) };
    const cursor: string = (await get({ ...asked, limit: 1 })).body.nextCursor;
    // The same instant in another notation, and another limit.
    const again = {
      ...asked,
      ...(instant === '' ? {} : { from: '2030-03-01T11:00:00+11:00' }),
      limit: 3,
      cursor,
    };
    assert.equal((await get(again)).status, 200);
    for (const query of [{}, { [state.name]: two ?? '' }, { ...asked, workshopId }]) {
      assertProblem(await get({ ...query, cursor }), 400, '000001', ['cursor']);
    }
    assert.deepEqual((await get({ ...asked, cursor }, nobody)).body[plural], [], 'nobody else’s are shown');
    const foreign = path === '/bookings' ? '/quotes' : '/bookings';
    for (const since of hasFeed ? [{}, { updatedSince: instants[0] ?? '' }] : [{}]) {
      const { body } = await partner.call(
        'GET',
        `${foreign}?${new URLSearchParams({ limit: '1', ...since })}`,
      );
      assertProblem(await get({ ...since, cursor: body.nextCursor }), 400, '000001', ['cursor']);
    }
  });

  test(`${plural}: of other partners nothing is found; a link that is off hides nothing (specification: Errors 5; Partners and workshops 3)`, async () => {
    assertProblem(await app.request('GET', path), 401, '010000');
    for (const id of [newId(), 'none', '%']) assertProblem(await get({ workshopId: id }), 404, '030001');
    assertProblem(await get({ workshopId }, other), 404, '030001');
    assert.deepEqual(await walk({}, other), [theirs]);
    assert.deepEqual(await walk({ workshopId: shared, externalId: 'REF-A' }, other), [theirs]);
    assert.deepEqual((await get({}, nobody)).body, { success: true, [plural]: [], nextCursor: null });
    for (const id of [theirs.id, newId(), 'none']) {
      assertProblem(await partner.call('GET', `${path}/${id}`), 404, notFound);
    }
    const link = { partnerId: partner.partnerId, workshopId: shared };
    await setLink({ db, clock }, { ...link, active: false }, actors.operator);
    assert.deepEqual(await walk({ workshopId: shared }), newest.filter(isAsked({ workshopId: shared })));
    assert.deepEqual((await partner.call('GET', `${path}/${newest[0]?.id}`)).body[name], newest[0]);
    await setLink({ db, clock }, { ...link, active: true }, actors.operator);
  });

  test(`${plural}: staff list them by each option, in pages, and find one by id and by code`, async () => {
    const all = [
      ...own.map((item) => ({ ...item, partnerId: partner.partnerId })),
      { ...theirs, partnerId: other.partnerId },
    ] as Item[];
    const keyOf = (item: Item) =>
      `${byDate ? item[instant] : order === 'id' ? '' : item[order.key]} ${item.id}`;
    const sorted = all
      .filter(isAsked({ workshopId: shared }))
      .sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));
    if (!byDate) sorted.reverse();
    // Bookings are listed from today on unless a time is named.
    const since = byDate ? ['--from', '2020-01-01'] : [];
    const list = (...more: string[]): Promise<Item[]> =>
      json([noun, 'list', '--workshop', shared, ...since, ...more], env, runHere);
    const found = await list();
    assert.deepEqual(idsOf(found), idsOf(sorted));

    const [next] = sorted;
    const options: Readonly<Record<string, string>> = {
      ...{
        partner: other.partnerId,
        customer: next?.['customerId'] ?? '',
        [state.name]: next?.[state.name] ?? '',
      },
      ...{
        from: '2030-03-05T22:30:00Z',
        to: '2030-03-05T22:30:00Z',
        rego: 'abc',
        name: 'Taylor',
        phone: '570',
      },
    };
    for (const option of [...Object.keys(record.staff.filters), state.name]) {
      const value = options[option] ?? assert.fail(`say in this file what a value of --${option} is`);
      const wanted = sorted.filter(isAsked({ [option]: value }));
      assert.deepEqual(idsOf(await list(`--${option}`, value)), idsOf(wanted), option);
    }
    const after = byDate ? '--after' : '--before';
    const pages = ['--limit', '2', after, sorted[1]?.id ?? ''];
    assert.deepEqual(idsOf(await list(...pages)), idsOf(sorted.slice(2, 4)));
    assert.deepEqual(await list('--all'), found);
    assert.deepEqual(await list('--partner', nobody.partnerId), []);
    const { stderr } = await succeed(
      [noun, 'list', '--workshop', shared, ...since, '--limit', '1'],
      env,
      runHere,
    );
    assert.ok(stderr.startsWith(`There are more: ${after} ${next?.id} shows the next`), stderr);

    const shownAs = found[0] ?? assert.fail();
    const {
      partnerId: _,
      partner: named,
      timezone,
      country,
      endsAt,
      emailBounce,
      attendance,
      anywayReason,
      calledBack,
      ...rest
    } = shownAs;
    const read = all.find(({ id }) => id === shownAs.id) ?? assert.fail();
    const { partnerId, ...wire } = read;
    // Staff see whose call it was also where the partner does not.
    assert.deepEqual({ ...rest, customerId: wire['customerId'] }, wire);
    const partnerName = partnerId === other.partnerId ? 'Other' : 'Example Fleet';
    assert.deepEqual([named, timezone, country], [partnerName, 'Australia/Melbourne', 'AU']);
    const names = [shownAs.id, ...(shownAs.code === undefined ? [] : [shownAs.code.toLowerCase()])];
    for (const each of names) {
      const { link, ...shown } = await json([noun, 'show', each], env, runHere);
      assert.deepEqual(shown, shownAs);
    }
  });

  test(`${plural}: staff’s commands name every bad option, and what there is not`, async () => {
    const bad = (code: number, message: RegExp, ...args: string[]) =>
      fail([noun, 'list', '--workshop', shared, ...args], env, code, message, runHere);
    const declared = record.staff.filters;
    const wrong = ['from', 'customer', 'partner'].filter((option) => option in declared);
    const faults = [...wrong, state.name].flatMap((option) => [`--${option}`, 'x']);
    const said = [
      ...('from' in declared ? ['--from must be like'] : []),
      `--${state.name} must be one of ${state.all.join(', ')}`,
      ...('customer' in declared ? ['--customer is not an id'] : []),
      '--partner is not an id',
      '--limit must be',
    ];
    await bad(2, new RegExp(said.join('.*')), ...faults, '--limit', '0');
    await bad(1, /there is no partner/, '--partner', newId());
    if ('customer' in declared) await bad(1, /there is no customer/, '--customer', newId());
    await bad(1, /there is no workshop/, '--workshop', newId());
    for (const id of [newId(), 'AAAAAAAA', 'none']) {
      await fail([noun, 'show', id], env, 1, new RegExp(`there is no ${noun} ${id}`), runHere);
    }
  });

  if (hasFeed) {
    test(`${plural}: the feed tells each change, in their order, by the same filters; its cursor never ends`, async () => {
      await settledFeed(db, table);
      const since = { updatedSince: '2026-01-01T00:00:00Z' };
      const first = await get({ ...since, limit: 200 });
      assert.deepEqual(first.body[plural], own);
      const paged: Item[] = [];
      for (let cursor = {}; paged.length < own.length; ) {
        const { body } = await get({ ...since, limit: 7, ...cursor });
        paged.push(...body[plural]);
        cursor = { cursor: body.nextCursor };
      }
      assert.deepEqual(paged, own);
      for (const filter of filterNames) {
        const [value = ''] = values[filter] ?? [];
        const { body } = await get({ ...since, [filter]: value });
        assert.deepEqual(idsOf(body[plural]), idsOf(own.filter(isAsked({ [filter]: value }))), filter);
      }
      const cursor: string = first.body.nextCursor;
      const quiet = await get({ ...since, cursor });
      assert.deepEqual([quiet.body[plural], typeof quiet.body.nextCursor], [[], 'string']);
      assertProblem(await get({ ...since, cursor, [state.name]: state.all[0] ?? '' }), 400, '000001', [
        'cursor',
      ]);
      assertProblem(await get({ ...since, cursor: 'x' }), 400, '000001', ['cursor']);
      assertProblem(await get({ updatedSince: '2026-01-01' }), 400, '000001', ['updatedSince']);
      assertProblem(await get({ cursor }), 400, '000001', ['cursor']);
      for (const changed of [own[5], own[2]]) {
        await db.query(`UPDATE ${table} SET version = version + 1 WHERE id = $1`, [changed?.id]);
      }
      await settledFeed(db, table);
      assert.deepEqual((await get({ ...since, cursor })).body[plural], [own[5], own[2]]);
      assert.deepEqual((await get(since, other)).body[plural], [theirs]);
    });
  }

  test(`${plural}: retention deletes those that may go once they are old, and no others (specification: Erasure and retention 4)`, async () => {
    const { retention } = record;
    assert.equal(goes.length === 0, retention === null);
    const old = own.filter((_, n) => n % 2 === 0);
    const days = retention === null ? 10_000 : app.context.config[retention.days];
    const before = new Date(clock.now().getTime() - days * dayMs - 1);
    await db.query(`UPDATE ${table} SET updated_at = $2 WHERE id = ANY ($1)`, [idsOf(old), before]);
    await db.query(`UPDATE ${table} SET updated_at = $2 WHERE NOT id = ANY ($1)`, [
      idsOf(old),
      new Date(before.getTime() + 60_000),
    ]);
    if (retention?.since === 'id') {
      const made = `overlay(id::text PLACING '01700000' FROM 1 FOR 8)::uuid`;
      await db.query(`UPDATE ${table} SET id = ${made} WHERE id = ANY ($1)`, [idsOf(old)]);
    }
    const purge = purgeRecords([record]);
    await Promise.all([purge(app.context), purge(app.context)]);
    const left = await db.query<{ id: string }>(`SELECT id FROM ${table} WHERE partner_id = $1`, [
      partner.partnerId,
    ]);
    const kept = own.filter((item) => !(old.includes(item) && goes.includes(item[state.name] ?? '')));
    assert.deepEqual(new Set(idsOf(left)), new Set(idsOf(kept)));
  });
}
