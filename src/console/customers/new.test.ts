/** **New customer** and **New message**: what the desk begins with a number that nobody may have yet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { optOut } from '#product/customers/opt-out.ts';
import { findCustomerByPhone, requireCustomer } from '#product/customers/store.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { staffWorld } from '../../../test/fixtures/walk-ins.ts';

const { app, workshopId, partner, known, newPhone, options } = await staffWorld();
const { db } = app.context;
const base = await baseOf(app, workshopId);
const { owner, adviser, technician, viewer } = await peopleOf(app, workshopId);
const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
const customers = `${base}/customers`;
const adding = `${customers}/new`;
const texting = `${base}/inbox/new`;

const opened = async (path: string, by = adviser) => fieldsOf((await by.get(path)).text, path);
const withPhone = (phone: string) => findCustomerByPhone(db, workshopId, phone);
const count = async () =>
  (await db.query('SELECT id FROM customer WHERE workshop_id = $1', [workshopId])).length;

const typed = {
  ...{ name: 'Noor Haddad', email: 'noor@new.example', company: 'Haddad Tiles' },
  ...{ rego: 'new 001', make: 'Toyota', model: 'HiAce', year: '2019', vin: 'JTFHX02P100000001' },
};

test("always: a customer is added with their car once, by a double click too, found, and seen by no partner (specification: The workshop's own bookings 13)", async () => {
  const phone = newPhone();
  const form = { ...(await opened(adding)), ...typed, phone };
  const answers = await Promise.all([1, 2].map(() => adviser.post(adding, form)));
  const made = await withPhone(phone);
  assert.ok(made);
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${customers}/${made.customerId}?done=added`]);
  const { name, email, company } = made;
  assert.deepEqual([name, email, company], ['Noor Haddad', 'noor@new.example', 'Haddad Tiles']);
  const page = (await adviser.get(`${customers}/${made.customerId}?done=added`)).text;
  for (const part of ['Added.', 'NEW001', 'Toyota', 'HiAce', '2019', 'added them'])
    assert.ok(page.includes(part), part);
  await app.drain();
  assert.match((await adviser.get(`${base}/find?q=new001`)).text, /Noor/);
  const rows = await db.query(
    'SELECT k.details_from, car.vin FROM customer k JOIN car ON car.customer_id = k.id WHERE k.id = $1',
    [made.customerId],
  );
  assert.deepEqual(rows, [{ detailsFrom: ['00000000-0000-0000-0000-000000000000'], vin: typed.vin }]);
  assert.equal((await partner.call('GET', `/bookings?workshopId=${workshopId}`)).body.bookings.length, 0);
});

test("always: a known number leads to whose it is, named, and makes no second customer; two at once make one (specification: The workshop's own bookings 13)", async () => {
  const phone = newPhone();
  const { customerId } = await known(phone, { customerName: 'Ava Nguyen' });
  const before = await count();
  const refused = await adviser.submit(adding, adding, { ...typed, phone: phone.replace('+61', '0') });
  assert.equal(refused.status, 422);
  assert.match(refused.text, new RegExp(`is of <a href="${customers}/${customerId}">[^/]*Ava Nguyen`));
  assert.match(refused.text, /value="Noor Haddad"/);
  assert.equal((await requireCustomer(db, customerId)).name, 'Ava Nguyen');
  const other = newPhone();
  const forms = [await opened(adding), await opened(adding)];
  const answers = await Promise.all(
    forms.map((form) => adviser.post(adding, { ...form, ...typed, phone: other })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422]);
  assert.equal(await count(), before + 1);
});

test('each bad field is named; a name, a number or a registration alone is enough', async () => {
  const bad = await adviser.submit(adding, adding, {
    ...{ phone: '12', email: 'nobody', year: '19x', vin: 'x'.repeat(40) },
  });
  assert.equal(bad.status, 422);
  for (const label of ['Mobile number', 'E-mail', 'Year', 'VIN'])
    assert.match(bad.text, new RegExp(`href="#[a-z]+">${label} `), label);
  assert.match(
    (await adviser.submit(adding, adding)).text,
    /is needed, or a mobile number, or a registration/,
  );
  for (const one of [{ name: 'Kim' }, { phone: newPhone() }, { rego: 'ALONE1' }])
    assert.equal((await adviser.submit(adding, adding, one)).status, 303);
});

test("always: whoever does not see phones types no number: one that is sent is not stored, and tells nothing (specification: The workshop's own bookings 13)", async () => {
  const phone = newPhone();
  await known(phone, { customerName: 'Ava Nguyen' });
  const page = (await blind.get(adding)).text;
  assert.doesNotMatch(page, /Mobile number|E-mail/);
  const made = await blind.submit(adding, adding, { name: 'Someone Else', phone, email: 'a@b.example' });
  assert.equal(made.status, 303);
  const [id = ''] = /[0-9a-f-]{36}(?=\?done)/.exec(made.location ?? '') ?? [];
  const stored = await requireCustomer(db, id);
  assert.deepEqual([stored.phone, stored.email], [null, null]);
  assert.equal((await blind.get(texting)).status, 403);
  assert.equal((await blind.post(texting, { key: newId(), phone, message: 'Hello' })).status, 403);
  assert.doesNotMatch((await blind.get(`${base}/inbox`)).text, /New message/);
});

test('links stand where they may be followed', async () => {
  for (const [list, label, may] of [
    ['customers', 'New customer', [owner, adviser]],
    ['inbox', 'New message', [owner, adviser]],
  ] as const)
    for (const who of [owner, adviser, technician, viewer])
      assert.equal(
        (await who.get(`${base}/${list}`)).text.includes(label),
        (may as readonly unknown[]).includes(who),
        label,
      );
});

test('always: a text to a new number asks why, goes once, and leads to its conversation; one that is known joins theirs (specification: Answers of the workshop 6)', async () => {
  const phone = newPhone();
  const form = { ...(await opened(texting)), phone: phone.replace('+61', '0'), message: 'Are you coming?' };
  const asked = await adviser.post(texting, form);
  assert.equal(asked.status, 422);
  assert.match(asked.text, /Why may this number be texted\?/);
  assert.equal(await withPhone(phone), null);
  const why = { ...form, reason: 'Asked at the counter' };
  const answers = await Promise.all([1, 2].map(() => adviser.post(texting, why)));
  const made = await withPhone(phone);
  const [talk] = await db.query<{ id: string }>('SELECT id FROM conversation WHERE customer_id = $1', [
    made?.customerId,
  ]);
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${base}/inbox/${talk?.id}?done=sent`]);
  await app.drain();
  assert.deepEqual(
    app.sms.to(phone).map(({ body }) => body),
    ['Are you coming?'],
  );
  // The talk has texts by now, which the form does not show.
  const again = await adviser.submit(texting, texting, { phone, message: 'Tomorrow then?' });
  assert.equal(again.location, `${base}/inbox/${talk?.id}?done=sent`);
  await app.drain();
  assert.equal(app.sms.to(phone).length, 2);
});

test('no text goes to a bad number, to one that opted out, nor abroad unless an owner lets it (specification: Answers of the workshop 6)', async () => {
  const bad = await adviser.submit(texting, texting, { phone: '12', message: 'x' });
  assert.equal(bad.status, 422);
  assert.match(bad.text, /must be a valid phone number in AU/);
  const phone = newPhone();
  const { customerId } = await known(phone);
  await optOut(app.context, { workshopId, customerId, actor: options.actor });
  const stopped = await adviser.submit(texting, texting, { phone, message: 'x' });
  assert.match(stopped.text, /Not sent: this customer has opted out of SMS/);
  const abroad = { phone: '+64211234567', message: 'x', reason: 'Asked at the counter' };
  assert.match((await adviser.submit(texting, texting, abroad)).text, /an owner may allow it/);
  const yes = { ...abroad, allowAbroad: 'yes' };
  assert.equal((await adviser.submit(texting, texting, yes)).status, 422);
  assert.equal((await owner.submit(texting, texting, yes)).status, 303);
});
