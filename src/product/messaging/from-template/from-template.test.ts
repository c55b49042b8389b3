import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { phoneIn } from '#base/values/phone.ts';
import { unpublishTemplate } from '#product/templates/publish.ts';
import { assertProblem } from '../../../../test/fixtures/booking-api.ts';
import { fromTemplate, messagingWorld, newPhone, written } from '../../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const { app, partner, workshopId, post, send, customer, book, template, read } = await messagingWorld();
const { db, clock } = app.context;

async function refused(body: object, field: string, says: RegExp): Promise<void> {
  const before = await written(app);
  const answer = await post({ ...body });
  assertProblem(answer, 400, '000001', [field]);
  assert.match(answer.body.errors[0].message, says);
  assert.deepEqual(await written(app), before, 'a refusal wrote something');
}

const textOf = async (templateId: string, body: object): Promise<string | undefined> => {
  const { sms } = await send({ ...fromTemplate(templateId), ...body });
  return app.sms.sent.find(({ messageId }) => messageId === sms.messageId)?.body;
};

test('a template is sent, filled, and kept with the message (specification: Messages 2)', async () => {
  const { id, phone } = await customer();
  const templateId = await template('Hi {{ customer.firstName }}, this is {{ workshop.name }}.');
  const { sms } = await send({ customerId: id, ...fromTemplate(templateId) });
  assert.equal(app.sms.to(phone)[0]?.body, 'Hi Ava, this is Harbour Motors.');
  const stored = await read(sms.messageId);
  assert.deepEqual([stored.templateId, stored.body], [templateId, 'Hi Ava, this is Harbour Motors.']);
});

test('the service fills the placeholders; values that the caller sends are ignored (specification: Messages 3)', async () => {
  const { id } = await customer({ firstName: 'Mia' });
  const templateId = await template('Hi {{ customer.firstName }}');
  const sms = { templateId, placeholders: { 'customer.firstName': 'X' }, values: { firstName: 'X' } };
  assert.equal(await textOf(templateId, { customerId: id, channels: { sms } }), 'Hi Mia');
});

test('customer.*, workshop.*, booking.* and car.* are filled, times in the zone of the workshop', async () => {
  const phone = newPhone();
  const bookingId = await book(phone, {
    carMake: 'Toyota',
    carModel: 'Corolla',
    carRego: 'tpl 123',
    carYear: 2019,
  });
  const templateId = await template(
    '{{ customer.name }}|{{ customer.phone }}|{{ workshop.phone }}|{{ booking.dateTime }}|{{ car.rego }} {{ car.year }} {{ car.make }} {{ car.model }}',
  );
  assert.equal(
    await textOf(templateId, { phone, bookingId }),
    // 22:30 UTC is 9:30 of the next day in Melbourne's summer.
    `Sam Taylor|${phoneIn('AU', phone)}|(03) 5550 1234|Sun 3 Mar 2030, 9:30 am|TPL123 2019 Toyota Corolla`,
  );
});

test('a placeholder without a value renders empty, and never as undefined or null (specification: Templates 1)', async () => {
  const phone = newPhone();
  const bookingId = await book(phone);
  const templateId = await template(
    '[{{ car.vin }}{{ booking.notes }}{{ customer.company }}{{ booking.pickupTime }}]',
  );
  assert.equal(await textOf(templateId, { phone, bookingId }), '[]');
  const { id } = await customer({ email: null, lastName: null });
  const ofCustomer = await template('[{{ customer.email }}{{ customer.lastName }}{{ customer.company }}]');
  assert.equal(await textOf(ofCustomer, { customerId: id }), '[]');
});

test('for a customer that the message creates, the fields come from the new row', async () => {
  const phone = newPhone();
  const templateId = await template('[{{ customer.name }}|{{ customer.firstName }}|{{ customer.phone }}]');
  const first = await textOf(templateId, { phone });
  // The number is their name until one is known, written as people write it.
  assert.equal(first, `[${phoneIn('AU', phone)}||${phoneIn('AU', phone)}]`);
  assert.equal(await textOf(templateId, { phone }), first);
});

test('the text keeps what people wrote: nothing is escaped for HTML (specification: Templates 1)', async () => {
  const { id } = await customer({ firstName: "O'Brien & <Co>" });
  assert.equal(
    await textOf(await template('Hi {{ customer.firstName }}'), { customerId: id }),
    "Hi O'Brien & <Co>",
  );
});

test('a template that uses booking fields needs a bookingId; without one the response is a 400 that says why', async () => {
  const phone = newPhone();
  const bookingId = await book(phone);
  const templateId = await template('Code {{ booking.code }}');
  assert.match((await textOf(templateId, { phone, bookingId })) ?? '', /^Code [0-9A-Z]{8}$/);
  await refused({ phone, ...fromTemplate(templateId) }, 'bookingId', /booking/);
  const ofCar = await template('{% if car.rego %}Your car{% endif %} is ready');
  await refused({ phone, ...fromTemplate(ofCar) }, 'bookingId', /booking/);
});

test('a template that needs no booking may be sent with one', async () => {
  const phone = newPhone();
  const bookingId = await book(phone, { customerName: 'Zoe Chan' });
  assert.equal(await textOf(await template('Hi {{ customer.firstName }}'), { phone, bookingId }), 'Hi Zoe');
});

test('400 000001 for an invalid template', async (t) => {
  const { id } = await customer();
  const invalid = async (templateId: string) =>
    refused(
      { customerId: id, ...fromTemplate(templateId) },
      'channels.sms.templateId',
      /published inbox template/,
    );
  await t.test('unknown', () => invalid(newId()));
  await t.test('not a UUID', () => invalid('no-uuid'));
  await t.test('never published', async () => invalid(await template('Hi', { draft: true })));
  await t.test('unpublished since', async () => {
    const templateId = await template('Hi');
    await unpublishTemplate({ db, clock }, templateId, actors.operator);
    await invalid(templateId);
  });
  await t.test("another workshop's", async () => {
    const elsewhere = await linkedWorkshop(app, [partner]);
    await invalid(await template('Hi', { workshopId: elsewhere }));
  });
  await t.test('the text of a notice', async () => {
    await invalid(await template('Hi', { purpose: 'bookingCreated.customer.sms' }));
  });
});

test('a template whose text is empty for this customer is 400', async () => {
  const { id } = await customer({ lastName: null });
  const body = { customerId: id, ...fromTemplate(await template(' {{ customer.lastName }} ')) };
  await refused(body, 'channels.sms.templateId', /empty/);
});

test('a template whose text is longer than 10 segments is a 400 that names the number', async () => {
  const { id } = await customer({ firstName: 'ї' });
  const templateId = await template(`{{ customer.firstName }}${'x'.repeat(670)}`);
  await refused(
    { customerId: id, ...fromTemplate(templateId) },
    'channels.sms.templateId',
    /11 SMS segments/,
  );
  const short = await customer({ firstName: 'i' });
  assert.equal((await send({ customerId: short.id, ...fromTemplate(templateId) })).success, true);
});

test('rendering is bounded: a template with an endless loop is a 400, immediately (specification: Templates 2)', async () => {
  const { id } = await customer();
  const templateId = await template('Hi');
  const loop =
    '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}x{% endfor %}{% endfor %}{% endfor %}';
  // Stored as if templates were not yet checked at that time.
  await db.query('UPDATE template SET body = $2 WHERE id = $1', [templateId, loop]);
  const started = process.cpuUsage();
  await refused(
    { customerId: id, ...fromTemplate(templateId) },
    'channels.sms.templateId',
    /can't be rendered/,
  );
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});

test('a template reads no file (specification: Templates 2)', async () => {
  const { id } = await customer();
  const templateId = await template('Hi');
  await db.query(`UPDATE template SET body = '{% include "package.json" %}' WHERE id = $1`, [templateId]);
  await refused(
    { customerId: id, ...fromTemplate(templateId) },
    'channels.sms.templateId',
    /can't be rendered/,
  );
});

test('a template of this workshop can be named without /v1 and by an id in capitals', async () => {
  const templateId = await template('Hi there');
  const path = `/v1/workshops/${workshopId}/messages`;
  const answer = await partner.call('POST', path, {
    phone: newPhone(),
    ...fromTemplate(templateId.toUpperCase()),
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});
