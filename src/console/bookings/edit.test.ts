/** Edit changes what was changed in its form, and nothing else: the car of another registration, and services of which it has no fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import type { ServiceItem } from '#product/catalogue/item.ts';
import { postedForms } from '../../../test/fixtures/forms.ts';
import { baseOf, type Shown, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
// Monday 4 March 2030, 8:10 in Melbourne.
app.clock.setAdvance(Math.round((Date.parse('2030-03-03T21:10:00Z') - Date.now()) / 1_000));
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const owner = await signedInPerson(app, [workshopId]);
const base = await baseOf(app, workshopId);
const page = `${base}/bookings/new`;
const skoda = { make: 'Skoda', model: 'Octavia', year: '2019', vin: 'TMBJJ7NE8K0123456' };

const idOf = ({ location, text }: Shown) =>
  /bookings\/([\da-f-]{36})/.exec(location ?? '')?.[1] ?? assert.fail(text);
async function carOf(id: string) {
  const { make, model, year, vin } = (await requireRecord(app.context.db, bookingRecord, id)).car;
  return { make, model, year, vin };
}

test('always: Edit with another registration keeps what the form shows of the car; a car that the customer has come with keeps its own', async () => {
  const booked = async (rego: string, more: Readonly<Record<string, string>>) => {
    const typed = { name: 'Otto Other', phone: '0491571491', date: '2030-03-07', time: '10:00' };
    return idOf(await owner.submit(page, page, { ...typed, rego, ...more }));
  };
  const saved = async (of: string, typed: Readonly<Record<string, string>>) => {
    const edit = `${base}/bookings/${of}/edit`;
    const { text } = await owner.get(edit);
    const value = (name: string) => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(text)?.[1] ?? '';
    const shown = ['rego', 'make', 'model', 'year', 'vin'].map((name) => [name, value(name)] as const);
    const answer = await owner.submit(edit, edit, { ...Object.fromEntries(shown), ...typed });
    assert.equal(answer.status, 303, answer.text);
    return carOf(of);
  };
  const mazda = { make: 'Mazda', model: 'CX-5', year: 2021, vin: null };
  await booked('OTTO02', { make: 'Mazda', model: 'CX-5', year: '2021' });
  const first = await booked('OTT001', skoda);
  assert.deepEqual(await saved(first, { rego: 'otto 01' }), { ...skoda, year: 2019 }, 'a slip is mended');
  assert.deepEqual(await saved(first, { rego: 'OTTO02' }), mazda);
  assert.deepEqual(await saved(first, { rego: 'OTTO01', model: 'Superb' }), {
    ...{ ...skoda, year: 2019, model: 'Superb' },
  });
  assert.deepEqual(await saved(first, { rego: '' }), { ...skoda, year: 2019, model: 'Superb' });
});

test('always: Edit leaves services as they are of which it has no fields, and of those that are left; Put it back names all', async () => {
  const shop = await linkedWorkshop(app, [partner], { name: 'Many Services' });
  const desk = await signedInPerson(app, [shop]);
  const its = await baseOf(app, shop);
  const codes = ['one', 'two', 'three', 'four', 'five'];
  const booked = async (services: readonly object[]) => {
    const sent = bookingBody(shop, { services, bookingTime: '2030-03-20T23:00:00Z', skipNotification: true });
    const { status, body } = await partner.call('POST', '/bookings', sent);
    assert.equal(status, 201, JSON.stringify(body));
    return body.booking.id as string;
  };
  const saved = async (id: string, typed: Readonly<Record<string, string>>) => {
    const edit = `${its}/bookings/${id}/edit`;
    const { text } = await desk.get(edit);
    const form = postedForms(text, edit).find(({ action }) => action === edit)?.fields ?? {};
    const chosen = ['service', 'service2', 'service3'].map((name) => {
      const options = new RegExp(`<select id="${name}"[\\s\\S]*?</select>`).exec(text)?.[0] ?? '';
      return [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? form[name] ?? ''] as const;
    });
    const answer = await desk.post(edit, { ...form, ...Object.fromEntries(chosen), ...typed });
    assert.equal(answer.status, 303, answer.text);
    const { body } = await partner.call('GET', `/bookings/${id}`);
    return body.booking.services.map(({ catalogCode, title }: ServiceItem) => catalogCode ?? title);
  };
  // Without a catalogue all are one text.
  const words = await booked([{ title: 'Wipers' }, { title: 'Horn, front' }]);
  assert.deepEqual(await saved(words, { notes: 'x' }), ['Wipers', 'Horn, front']);
  assert.deepEqual(await saved(words, { service: 'Wipers' }), ['Wipers']);
  const services = codes.map((catalogCode) => ({
    catalogCode,
    title: `Service ${catalogCode}`,
    category: 'service',
    durationMinutes: 30,
  }));
  await importWorkshop(
    { db: app.context.db, clock: app.clock },
    JSON.stringify({ workshopId: shop, services }),
    actors.operator,
  );
  const all = [
    ...codes.map((catalogCode) => ({ catalogCode })),
    { title: 'Wipers' },
    { title: 'Horn, front' },
  ];
  const id = await booked(all);
  assert.deepEqual(await saved(id, { notes: 'x' }), [...codes, 'Wipers', 'Horn, front']);
  assert.match((await desk.get(`${its}/bookings/${id}/edit`)).text, /And: Service four, Service five/);
  assert.deepEqual(await saved(id, { service2: '' }), [
    'one',
    'three',
    'four',
    'five',
    'Wipers',
    'Horn, front',
  ]);
  assert.deepEqual(await saved(id, { other: 'Wipers' }), ['one', 'three', 'four', 'five', 'Wipers']);
  const again = (await desk.get(`${its}/bookings/new?like=${id}`)).text;
  assert.match(again, /name="other"[^>]* value="Service five, Wipers"/);
});
