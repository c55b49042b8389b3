/** Query parameters, over HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const get = (path: string) => partner.call('GET', path);
const faultsOf = async (path: string) => {
  const { status, body } = await get(path);
  assert.equal(status, 400, path);
  return body.errors.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
};

test('an empty parameter is absent, in every list and every type of parameter', async () => {
  await partner.call('POST', '/bookings', bookingBody(workshopId));
  const empty = (names: readonly string[]) => names.map((name) => `${name}=&${name}=%20`.split('&'));
  for (const [path, names] of [
    ['/bookings', ['workshopId', 'status', 'from', 'to', 'externalId', 'updatedSince', 'limit', 'cursor']],
    ['/workshops', ['limit', 'cursor']],
    [`/workshops/${workshopId}/availabilities`, ['from', 'to', 'serviceCategory', 'catalogId', 'explain']],
    [`/workshops/${workshopId}/templates`, ['limit', 'cursor']],
    ['/sandbox/messages', ['to', 'channel', 'outcome', 'since', 'limit', 'cursor']],
  ] as const) {
    const { body } = await get(path);
    for (const query of empty(names).flat()) {
      const answer = await get(`${path}?${query}`);
      assert.deepEqual([answer.status, answer.body], [200, body], `${path}?${query}`);
    }
  }
});

test('a whole number has digits alone, within its limits', async () => {
  for (const limit of [
    '0x10',
    '1e2',
    '0b1',
    '1.0',
    '+5',
    'ten',
    'Infinity',
    '-Infinity',
    '1e999',
    '9'.repeat(400),
  ]) {
    const faults = await faultsOf(`/bookings?limit=${encodeURIComponent(limit)}`);
    assert.deepEqual(faults, ['limit must be an integer'], limit);
  }
  assert.deepEqual(await faultsOf('/bookings?limit=0'), ['limit must be at least 1']);
  assert.deepEqual(await faultsOf('/bookings?limit=-1'), ['limit must be at least 1']);
  assert.deepEqual(await faultsOf('/bookings?limit=201'), ['limit must be at most 200']);
  for (const limit of ['1', '200', '007']) assert.equal((await get(`/bookings?limit=${limit}`)).status, 200);
});

test('a parameter that is given twice is named as that, whatever its type', async () => {
  const query = 'limit=1&limit=2&status=pending&status=pending&from=x&workshopId=&workshopId=';
  const faults = await faultsOf(`/bookings?${query}`);
  assert.deepEqual(
    faults.sort(),
    [
      ...['limit', 'status', 'workshopId'].map((name) => `${name} is given more than once`),
      faults.find((fault: string) => fault.startsWith('from must be a date and time')),
    ].sort(),
  );
  assert.equal((await get('/bookings?page=1&page=2&__proto__=x')).status, 200);
});

test('a list names all its faults at once: the cursor and a time that ends before it begins among them', async () => {
  const period = 'from=2030-03-03T00:00:00Z&to=2030-03-02T00:00:00Z';
  for (const path of ['/bookings', '/leads/calls']) {
    assert.deepEqual(await faultsOf(`${path}?limit=0&${period}&cursor=nonsense`), [
      'limit must be at least 1',
      'to must not be before from',
      'cursor is not a cursor that this list gave out',
    ]);
  }
  assert.deepEqual(await faultsOf('/workshops?limit=x&cursor=nonsense'), [
    'limit must be an integer',
    'cursor is not a cursor that this list gave out',
  ]);
});
