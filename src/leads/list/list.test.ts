/** GET /leads/calls (specification: Lists and feeds 1 and 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertProblem, bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { type CallLead, callOutcomes } from '../schema.ts';

const { app, partner, workshopId } = await bookingWorld();
const other = await signedInPartner(app, 'Other');
const shared = await linkedWorkshop(app, [partner, other], { name: 'Shared' });

/** Two workshops, each outcome, references and times that repeat. */
const all: CallLead[] = [];
for (let n = 0; n < 24; n++) {
  const body = {
    workshopId: n % 3 === 0 ? shared : workshopId,
    callerPhone: '0491570110',
    calledAt: `2030-03-${String(1 + ((n * 7) % 12)).padStart(2, '0')}T10:00:00Z`,
    outcome: callOutcomes[(n >> 1) % 3],
    ...(n % 8 === 0 ? { externalId: `CALL-${n}` } : {}),
  };
  all.push((await partner.call('POST', '/leads/calls', body)).body.callLead);
  if (n === 0) await other.call('POST', '/leads/calls', body);
}
const newest = all.toSorted((one, two) => {
  const [a, b] = [`${one.calledAt} ${one.id}`, `${two.calledAt} ${two.id}`];
  return a < b ? 1 : -1;
});

type Query = Readonly<Record<string, string | number>>;

const get = (query: Query, by = partner) =>
  by.call(
    'GET',
    `/leads/calls?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
  );

async function walk(query: Query): Promise<CallLead[]> {
  const found: CallLead[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await get({ ...query, ...(cursor === '' ? {} : { cursor }) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['callLeads', 'nextCursor', 'success']);
    found.push(...body.callLeads);
    cursor = body.nextCursor;
    assert.ok(cursor === null || body.callLeads.length > 0, 'an empty page with a next one');
  }
  return found;
}

test('the partner’s own calls, newest call first, as GET /leads/calls/{id} shows each', async () => {
  const { status, body } = await get({});
  assert.deepEqual([status, body.success, body.nextCursor], [200, true, null]);
  assert.deepEqual(body.callLeads, newest);
  assert.deepEqual((await partner.call('GET', `/leads/calls/${newest[0]?.id}`)).body.callLead, newest[0]);
  assert.equal((await get({}, other)).body.callLeads.length, 1);
});

test('for any filters and limit the list equals a check of each call', async () => {
  const instants = fc.constantFrom(
    '2030-03-01T00:00:00Z',
    '2030-03-05T10:00:00Z',
    '2030-03-12T21:00:00+11:00',
  );
  const queries = fc.record(
    {
      workshopId: fc.constantFrom(workshopId, shared.toUpperCase()),
      outcome: fc.constantFrom(...callOutcomes),
      from: instants,
      to: instants,
      externalId: fc.constantFrom('CALL-0', 'CALL-8', 'none'),
      limit: fc.constantFrom(3, 5, 24, 200),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const [from, to] = [
        Date.parse(query.from ?? '1900-01-01T00:00:00Z'),
        Date.parse(query.to ?? '2199-01-01T00:00:00Z'),
      ];
      if (to < from) {
        assertProblem(await get(query), 400, '000001', ['to']);
        return;
      }
      const wanted = newest.filter(
        (lead) =>
          lead.workshopId === (query.workshopId ?? lead.workshopId).toLowerCase() &&
          lead.outcome === (query.outcome ?? lead.outcome) &&
          lead.externalId === (query.externalId ?? lead.externalId) &&
          Date.parse(lead.calledAt) >= from &&
          Date.parse(lead.calledAt) < to,
      );
      assert.deepEqual(await walk(query), wanted);
    }),
    { numRuns: 25 },
  );
});

test('400 000001 for bad filters and cursors, 404 030001 for a workshop that is not linked', async () => {
  for (const [query, fields] of [
    [{ outcome: 'busy', from: '2030-03-01', limit: 0 }, ['from', 'limit', 'outcome']],
    [{ limit: 201 }, ['limit']],
    [{ cursor: 'x' }, ['cursor']],
    [{ externalId: 'x'.repeat(256) }, ['externalId']],
  ] as const) {
    assertProblem(await get(query), 400, '000001', [...fields]);
  }
  const { nextCursor } = (await get({ outcome: 'missed', limit: 1 })).body;
  assert.equal((await get({ outcome: 'missed', limit: 5, cursor: nextCursor })).status, 200);
  assertProblem(await get({ outcome: 'answered', cursor: nextCursor }), 400, '000001', ['cursor']);
  for (const id of [partner.partnerId, 'x']) assertProblem(await get({ workshopId: id }), 404, '030001');
  assertProblem(await get({ workshopId }, other), 404, '030001');
});
