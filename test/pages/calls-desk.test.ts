/** Calls and reminders as the desk uses them: in a browser, by keyboard alone, on a phone without JavaScript, live, and checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { newId } from '#base/values/id.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { desk, scriptless } from './customer.ts';
import { press, tabTo } from './keyboard.ts';
import { faultsOfLooks } from './looks.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;
let workshopId = '';

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  browser = await launchBrowser();
  const { db } = office.app.context;
  const [row] = await db.query<{ workshopId: string }>('SELECT workshop_id FROM booking WHERE id = $1', [
    office.bookings[0],
  ]);
  workshopId = row?.workshopId ?? '';
  await call('0491 570 010', 4, { notes: 'Wants a new battery before Friday' });
  await call('0491 570 701', 190, { customerName: 'Ava Nguyen', source: 'google-ads' });
  await call('0491 570 701', 95, { recordingUrl: 'https://calls.example/8f2a.mp3', outcome: 'voicemail' });
  await call('0491 570 702', 1_500, { outcome: 'answered', durationSeconds: 184 });
  for (const [n, days] of [7, 3, 40].entries()) await remind(`049157001${n}`, days);
  await remind('0491570015', 0);
  await office.app.drain();
});
after(() => browser?.close());

const open = (path: string, options?: BrowserContextOptions) =>
  openConsole(browser, office, `${office.busy}/${path}`, options);

async function made(path: string, body: object) {
  const answer = await office.partner.call('POST', path, { workshopId, ...body });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}
const inMinutes = (minutes: number) =>
  new Date(office.app.clock.now().getTime() + minutes * 60_000).toISOString();

async function call(callerPhone: string, minutes: number, changes: object = {}): Promise<string> {
  const { callLead } = await made('/leads/calls', {
    ...{ callerPhone, calledAt: inMinutes(-minutes), outcome: 'missed', externalId: newId(), ...changes },
  });
  return callLead.id;
}
async function remind(customerPhone: string, days: number): Promise<string> {
  const sendAt = days === 0 ? {} : { sendAt: inMinutes(days * 1_440) };
  return (await made('/reminders/services', { customerPhone, ...sendAt })).serviceReminder.id;
}

describe('calls and reminders', { skip: noBrowser }, () => {
  test('axe finds nothing at any size and in any colours; they are no heavier than other pages', async () => {
    const callId = await call('0491 570 703', 2, { customerName: 'Lee Park', notes: 'Tyres' });
    const reminderId = await remind('0491570014', 20);
    const places = {
      ...{ calls: 'calls', 'calls-all': 'calls?filter=all', call: `calls/${callId}` },
      ...{ 'call-text': `calls/${callId}/message`, reminders: 'reminders' },
      ...{ 'reminders-sent': 'reminders?filter=sent', reminder: `reminders/${reminderId}` },
    };
    for (const [name, path] of Object.entries(places)) {
      const { page, close } = await open(path, desk);
      assert.deepEqual(await faultsOfLooks(page, name, [320]), []);
      await close();
    }
  });

  test('by keyboard alone: a call is marked with a note, and taken back', async () => {
    const id = await call('0491 570 704', 3);
    const { page, close } = await open(`calls/${id}`, desk);
    assert.equal(
      await page.getByRole('link', { name: 'Ring back 0491 570 704' }).getAttribute('href'),
      'tel:+61491570704',
    );
    await tabTo(page, /^Note/);
    await page.keyboard.type('Nobody answered');
    await press(page, /^Mark as called$/);
    await says(page, 'Marked as called.');
    await page.getByText('Nobody answered').first().waitFor();
    await press(page, /^Not called yet$/);
    await says(page, 'Waits to be called back again.');
    await close();
  });

  test('live: a call that comes in, and one that somebody else marks, on the open list; what has the focus stays', async () => {
    const id = await call('0491 570 705', 9);
    const { page, close } = await open('calls', desk);
    const row = page.getByRole('listitem').filter({ hasText: '0491 570 705' });
    await row.waitFor();
    await call('0491 570 706', 1);
    await page.getByRole('listitem').filter({ hasText: '0491 570 706' }).waitFor();
    const other = await open(`calls/${id}`, desk);
    await other.page.getByRole('button', { name: 'Mark as called' }).click();
    await says(other.page, 'Marked as called.');
    await row.waitFor({ state: 'detached' });
    await Promise.all([close(), other.close()]);
  });

  test('on a phone without JavaScript: Mark as called leads back to the list, and a booking is made of a call', async () => {
    await call('0491 570 707', 6, { customerName: 'Noor Aziz' });
    const { page, close } = await open('calls', scriptless);
    const row = page.getByRole('listitem').filter({ hasText: 'Noor Aziz' });
    await row.getByRole('link', { name: 'New booking' }).click();
    assert.equal(await page.getByLabel('Mobile number').inputValue(), '0491 570 707');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Noor Aziz');
    await page.getByLabel('Date').first().fill('2030-03-06');
    await page.getByLabel('Time', { exact: true }).first().fill('10:00');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByText('Booked.', { exact: true }).waitFor();
    await page.goto(`${office.app.url}${office.busy}/calls?filter=done`);
    await row.getByText('✓ Called back').waitFor();
    await row.getByRole('button', { name: 'Not called yet' }).click();
    await page.getByText('Waits to be called back again.').waitFor();
    assert.match(page.url(), /calls\?filter=done&done=waiting$/);
    await close();
  });

  test('on a phone without JavaScript: a reminder is sent now with the text that was shown, another is stopped', async () => {
    const [sent, stopped] = [await remind('0491570013', 11), await remind('0491570016', 12)];
    const { page, close } = await open('reminders', scriptless);
    await page.locator(`a[href$="/reminders/${sent}#send"]`).click();
    const text = (await page.locator('blockquote').textContent()) ?? '';
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('On its way.', { exact: true }).waitFor();
    await office.app.drain();
    assert.deepEqual(
      office.app.sms
        .to('+61491570013')
        .flatMap(({ body }) => (body.includes('due for a service') ? body : [])),
      [text],
    );
    await page.goto(`${office.app.url}${office.busy}/reminders/${stopped}`);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped: it will not be sent.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Send now|Stop/ }).count(), 0);
    await page.goto(`${office.app.url}${office.busy}/reminders?filter=stopped`);
    await page.locator(`a[href$="/reminders/${stopped}"]`).first().waitFor();
    await close();
  });
});
