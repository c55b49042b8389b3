/** The form of a new booking, with free times that follow what is chosen in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { parsePhone } from '#base/values/phone.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, picture } from './customer.ts';
import { faultsOfLooks } from './looks.ts';
import { openConsole, says, startOffice } from './office.ts';

test('free times are those of the date that is chosen, and what is typed stays', {
  skip: noBrowser,
}, async () => {
  const office = await startOffice();
  const { page, close } = await openConsole(await launchBrowser(), office, `${office.strict}/bookings/new`);
  const first = page.locator('#free button').first();
  await page.getByLabel('Registration').fill('FREE01');
  await page.getByLabel('Tell the customer').uncheck();
  await page.getByLabel('Date').first().fill('2030-03-12');
  await page.getByLabel('Time').first().fill('09:00');
  await page.locator('#free button[value^="2030-03-1"]').first().waitFor();
  assert.match((await first.getAttribute('value')) ?? '', /^2030-03-1[12]T/);
  assert.equal(await page.getByLabel('Registration').inputValue(), 'FREE01');
  assert.equal(await page.getByLabel('Date').first().inputValue(), '2030-03-12');
  assert.equal(await page.getByLabel('Tell the customer').isChecked(), false);
  const asked = await page.evaluate<string>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('bookings/new')).join()`,
  );
  assert.match(asked, /date=2030-03-12/);
  assert.doesNotMatch(asked, /key=|version=/);
  await close();
});

test('a time typed into Move shows the text that goes, and the box stays as it was left', {
  skip: noBrowser,
}, async () => {
  const office = await startOffice();
  const path = `${office.busy}/bookings/${office.bookings[7]}/move`;
  const { page, close } = await openConsole(await launchBrowser(), office, path);
  const box = page.getByLabel('Tell the customer');
  await page.getByText('The text shows here once another day or time is chosen.').waitFor();
  assert.equal(await box.isChecked(), true);
  await box.uncheck();
  await page.getByLabel('Time').first().fill('15:15');
  await page.getByLabel('Time').first().press('Tab');
  await page.locator('#told-move').getByText('3:15 pm').waitFor();
  assert.equal(await box.isChecked(), false);
  assert.equal(await page.getByLabel('Time').first().inputValue(), '15:15');
  await close();
});

/** Resolves once the name is filled in, or empty again. */
const untilName = (is: '===' | '!==') =>
  `new Promise((done) => { const look = () => (document.querySelector('#name').value ${is} '' ? done() : setTimeout(look, 20)); look(); })`;

test('what is known of a caller fills the form in on leaving the field, and what was typed stays', {
  skip: noBrowser,
}, async () => {
  const office = await startOffice();
  const { page, close } = await openConsole(await launchBrowser(), office, `${office.busy}/bookings/new`);
  const known = office.partner;
  const { customer, car } = (await known.call('GET', `/bookings/${office.bookings[0]}`)).body.booking;
  await page.getByLabel('Notes', { exact: true }).fill('Squeaks');
  await page.getByLabel('Mobile number').fill(customer.phone);
  await page.getByLabel('Mobile number').press('Tab');
  await page.locator('#known').getByText(customer.name).first().waitFor();
  await page.evaluate(untilName('!=='));
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), customer.name);
  assert.equal(await page.getByLabel('Registration').inputValue(), car.rego);
  assert.equal(await page.getByLabel('Notes', { exact: true }).inputValue(), 'Squeaks');
  await page.getByLabel('Time').first().fill('15:00');
  await page.getByLabel('Time').first().press('Tab');
  await page
    .locator('#told-new')
    .getByText(/is confirmed/)
    .waitFor();
  assert.deepEqual(await faultsOfLooks(page, 'new-booking-known', [1920, 1366, 375, 320]), []);
  // Another number: what was filled in goes, what was typed stays.
  await page.getByLabel('Mobile number').fill('0491 579 999');
  await page.getByLabel('Registration').fill('OTHER1');
  await page.getByLabel('Registration').press('Tab');
  await page.evaluate(untilName('==='));
  assert.equal(await page.getByLabel('Notes', { exact: true }).inputValue(), 'Squeaks');
  await page.goto(`${office.app.url}${office.busy}/bookings/${office.bookings[10]}/edit`);
  assert.deepEqual(await faultsOfLooks(page, 'edit-car', [1920, 1366, 375, 320]), []);
  await page.goto(`${office.app.url}${office.busy}/customers/${customer.id}/car`);
  assert.deepEqual(await faultsOfLooks(page, 'customer-car', [1920, 1366, 375, 320]), []);
  await known.call('POST', '/bookings', {
    ...{ workshopId: customer.workshopId, customerName: customer.name, customerPhone: customer.phone },
    ...{ customerEmail: customer.email, carRego: 'SECOND', carMake: 'Kia', carModel: 'Rio' },
    ...{ bookingTime: '2030-03-20T23:00:00Z', skipNotification: true },
  });
  await page.goto(`${office.app.url}${office.busy}/bookings/new?customer=${customer.id}`);
  await page
    .getByRole('group', { name: 'Which car?' })
    .getByRole('button', { name: 'SECOND Kia Rio' })
    .click();
  await page.getByRole('button', { name: 'SECOND Kia Rio', pressed: true }).waitFor();
  assert.equal(await page.getByLabel('Make').inputValue(), 'Kia');
  assert.deepEqual(await faultsOfLooks(page, 'new-booking-cars', [1920, 1366, 375, 320]), []);
  await close();
});

test('always: a corrected registration is another customer; the field that has the focus is filled in too, and typed over', {
  skip: noBrowser,
}, async () => {
  const office = await startOffice();
  const { page, close } = await openConsole(await launchBrowser(), office, `${office.busy}/bookings/new`);
  const read = async (n: number) =>
    (await office.partner.call('GET', `/bookings/${office.bookings[n]}`)).body.booking;
  const [one, other] = [await read(0), await read(1)];
  const phone = page.getByLabel('Mobile number');
  const lookUp = async (rego: string, name: string) => {
    await page.getByLabel('Registration').fill(rego);
    await page.getByLabel('Registration').press('Tab');
    await page.locator(`#known data[data-for="name"][value="${name}"]`).waitFor({ state: 'attached' });
  };
  await lookUp(one.car.rego, one.customer.name);
  await page.evaluate(untilName('!=='));
  assert.equal(parsePhone(await phone.inputValue(), 'AU'), one.customer.phone);
  // A free time fills the form in, whatever else was typed, and however much.
  const parts = page.getByLabel('Parts');
  await parts.fill('Brake pads, front and rear. '.repeat(70));
  await page.locator('#free button').first().click();
  assert.notEqual(await page.getByLabel('Time').first().inputValue(), '');
  await page
    .locator('#told-new')
    .getByText(/is confirmed/)
    .waitFor();
  assert.match(await parts.inputValue(), /^(?:Brake pads, front and rear\. ){70}$/);
  await lookUp(other.car.rego, other.customer.name);
  await page.locator('#known').getByText(other.customer.name).first().waitFor();
  assert.equal(parsePhone(await phone.inputValue(), 'AU'), other.customer.phone);
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), other.customer.name);
  assert.ok(await phone.evaluate((field) => field === field.ownerDocument.activeElement));
  await page.keyboard.type('0491 579 998');
  assert.equal(await phone.inputValue(), '0491 579 998');
  await close();
});

test('what is against a time is said beside the free times and in the form while it is chosen, and once more after', {
  skip: noBrowser,
}, async () => {
  const office = await startOffice();
  const { page, close } = await openConsole(await launchBrowser(), office, `${office.busy}/bookings/new`);
  await page.getByLabel('Registration').fill('SUN01');
  await page.getByLabel('Date').first().fill('2030-03-10');
  await page.locator('#free').getByText('Closed on Sundays. It can be booked all the same.').waitFor();
  await page.locator('#time-said').getByText('Closed on Sundays.').waitFor();
  await assertAccessible(page);
  for (const width of [375, 1366, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `new-against-${width}`);
  }
  await page.getByLabel('Date').first().fill('2030-03-11');
  await page.locator('#free').getByText('Closed on Sundays').waitFor({ state: 'detached' });
  await page.getByLabel('Date').first().fill('2030-03-10');
  await page.getByLabel('Time').first().fill('10:00');
  await page.locator('#time-said').getByText('Closed on Sundays.').waitFor();
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await says(page, 'Booked. Closed on Sundays: booked all the same.');
  await close();
});

const catalogue = {
  ...{ category: 'service', cost: 99, maxCost: null, icon: 'clipboard', color: 'blue', dailyLimit: null },
} as const;

test('longer services say in Edit what is then against the time, as they are chosen', {
  skip: noBrowser,
}, async () => {
  const office = await startOffice();
  const { db, clock } = office.app.context;
  const services = [
    { ...catalogue, catalogCode: 'short', title: 'Oil', durationMinutes: 30 },
    { ...catalogue, catalogCode: 'long', title: 'Clutch', durationMinutes: 300 },
  ];
  const setUp = JSON.stringify({ workshopId: office.strictId, services });
  await importWorkshop({ db, clock }, setUp, actors.operator);
  const { page, close } = await openConsole(await launchBrowser(), office, `${office.strict}/bookings/new`);
  await page.getByLabel('Registration').fill('LATE01');
  await page.getByLabel('Service', { exact: true }).selectOption('Oil');
  await page.getByLabel('Date').first().fill('2030-03-12');
  await page.getByLabel('Time').first().fill('16:30');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await says(page, 'Booked.');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Notes', { exact: true }).fill('Squeals');
  await page.getByLabel('Service', { exact: true }).selectOption('Clutch');
  const against = page.locator('#time-said');
  await against.getByText('Not done by closing time, 17:00. It is saved with “Book anyway” alone').waitFor();
  assert.equal(await page.getByLabel('Notes', { exact: true }).inputValue(), 'Squeals');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Reason').fill('Stays overnight');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Book anyway' }).click();
  await says(page, 'Saved.');
  await page.getByText('Booked anyway: Stays overnight').waitFor();
  await close();
});
