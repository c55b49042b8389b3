/** GET /workshops/{id}/services (specification: Services 1). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { setLink } from '#product/workshops/link.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const categories = (tyres: number | null) => [
  { code: 'service', label: 'Maintenance', dailyLimit: null },
  { code: 'tyres', label: 'Tyres & Wheels', dailyLimit: tyres },
  { code: 'repair', label: 'Repair Services', dailyLimit: null },
  { code: 'others', label: 'Other Services', dailyLimit: null },
];

test('a workshop without a catalogue has the four categories', async () => {
  const { status, body } = await partner.call('GET', `/workshops/${workshopId}/services`);
  assert.deepEqual([status, body], [200, { success: true, categories: categories(null), services: [] }]);
});

test('the active services in the order of the import, at both paths, also when the link is off', async () => {
  const unset = {
    cost: null,
    maxCost: null,
    icon: null,
    color: null,
    dailyLimit: null,
    durationMinutes: null,
  };
  const logbook = {
    ...{
      catalogCode: 'logbook',
      title: 'Logbook service',
      category: 'service',
      cost: 199,
      maxCost: 1.15 * 300,
    },
    ...{ icon: 'clipboard', color: 'blue', dailyLimit: 0, durationMinutes: 90 },
  };
  const services = ['z', 'a'].map((catalogCode) => ({
    catalogCode,
    title: catalogCode,
    category: 'others',
    ...unset,
  }));
  const setUp = (sections: object) =>
    importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...sections }), actors.operator);
  await setUp({ services: [{ ...services[0], catalogCode: 'gone' }] });
  const imported = await setUp({
    categories: [{ code: 'tyres', dailyLimit: 6 }],
    services: [services[0], logbook, services[1]],
  });
  const ids = new Map(imported.services.map(({ catalogCode, _id }) => [catalogCode, _id]));
  const expected = {
    success: true,
    categories: categories(6),
    services: [services[0], { ...logbook, maxCost: 345 }, services[1]].map((service) => ({
      _id: ids.get(service?.catalogCode ?? ''),
      ...service,
    })),
  };
  for (const path of ['/workshops', '/v1/workshops']) {
    assert.deepEqual((await partner.call('GET', `${path}/${workshopId}/services`)).body, expected);
  }
  await setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active: false }, actors.operator);
  assert.deepEqual((await partner.call('GET', `/workshops/${workshopId}/services`)).body, expected);
});

test('401 without a token, 404 for a workshop that is not linked', async () => {
  const { status, body } = await app.request('GET', `/workshops/${workshopId}/services`);
  assert.deepEqual([status, body.errorCode], [401, '010000']);
  const stranger = await signedInPartner(app, 'Stranger');
  for (const id of [workshopId, '0198c6a3-0000-7000-8000-000000000000', 'nowhere']) {
    const answer = await stranger.call('GET', `/workshops/${id}/services`);
    assert.deepEqual([answer.status, answer.body.errorCode], [404, '030001']);
  }
});
