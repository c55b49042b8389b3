/** Long because all of /sandbox, as people see it, is looked at through one app and one browser. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import type { SandboxEntry } from '#platform/gateways/sandbox-outbox.ts';
import { magicNumbers } from '#platform/gateways/sms/sandbox.ts';
import { setLogo } from '#product/workshops/logo/set.ts';
import { demoLogo } from '../../src/operation/demo/logo.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { sandboxGateways } from '../harness/sandbox.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { assertAccessible } from './customer.ts';
import { visit } from './visit.ts';

let app: TestApp;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  app = await startTestApp({ gateways: sandboxGateways });
  browser = await launchBrowser();
});
after(() => browser?.close());

describe('/sandbox', { skip: noBrowser }, () => {
  beforeEach(() => app.context.db.query('DELETE FROM sandbox_message'));

  const sms = (body: string, over: Partial<SandboxEntry> = {}) =>
    sandboxOutbox(app.context.db, app.clock).keep({
      reference: newId(),
      messageId: newId(),
      channel: 'sms',
      outcome: 'accepted',
      to: '+61491570006',
      from: 'sandbox',
      subject: null,
      body,
      html: null,
      calendar: null,
      report: null,
      ...over,
    });
  const email = (over: Partial<SandboxEntry>) =>
    sms('The text', { channel: 'email', to: 'sam@example.com', ...over });
  const look = (options?: BrowserContextOptions) => visit(browser, `${app.url}/sandbox`, options);
  const texts = (page: Page) => page.locator('#messages .what').allTextContents();
  const shows = (page: Page, count: number) =>
    page.locator(`#messages li:nth-child(${count}):last-child`).waitFor();
  const detail = (page: Page) => page.locator('#detail');
  const row = (page: Page, text: string) => page.locator('#messages .row', { hasText: text });

  test('with a real gateway it has no clock and no answers, and no error', async () => {
    const partly = await startTestApp({ sandboxAlone: false });
    const entry = { reference: newId(), messageId: newId(), channel: 'sms', outcome: 'accepted' } as const;
    const nothing = { subject: null, html: null, calendar: null, report: null };
    const texts = { to: '+61491570006', from: 'sandbox', body: 'Hello' };
    await sandboxOutbox(partly.context.db, partly.clock).keep({ ...entry, ...nothing, ...texts });
    const { page, close } = await visit(browser, `${partly.url}/sandbox`);
    await shows(page, 1);
    assert.equal(await page.locator('#clock, .answer-form').count(), 0);
    assert.equal(await page.locator('#trouble').isVisible(), false);
    assert.equal(await page.locator('#numbers').count(), 1);
    await close();
    await partly.close();
  });

  test('the logo that an e-mail carries shows in its preview', async () => {
    const partner = await signedInPartner(app);
    const workshopId = await linkedWorkshop(app, [partner]);
    await setLogo({ db: app.context.db, clock: app.clock }, workshopId, demoLogo('#0a7d5a'), actors.operator);
    await partner.call(
      'POST',
      '/bookings',
      bookingBody(workshopId, { customerPhone: '+61491570110', customerEmail: 'sam@example.com' }),
    );
    await app.drain();
    // What its content policy refused would be a complaint.
    const { page, close } = await look();
    const [response] = await Promise.all([
      page.waitForResponse(/\/pages\/logos\//),
      page.goto(`${app.url}/sandbox?channel=email&to=sam@example.com`),
    ]);
    assert.deepEqual([response.status(), response.headers()['content-type']], [200, 'image/png']);
    await page.frameLocator('iframe').getByAltText('Harbour Motors').waitFor();
    await close();
  });

  test('an SMS with HTML in it shows as text, and runs nothing', async () => {
    const body = '<b onclick=alert(1)>Bold</b> & <img src=x onerror=alert(1)><script>alert(2)</script>\n😀';
    await sms(body, { from: '<u>sandbox</u>' });
    await email({ subject: '<em>Subject</em>', body: '<h1>Text</h1>', to: '<i>sam@example.com</i>' });
    const { page, close } = await look();
    await shows(page, 2);
    assert.deepEqual(await texts(page), ['<em>Subject</em>', body.replace('\n', ' ')]);
    assert.equal(await detail(page).locator('h2').textContent(), '<em>Subject</em>');
    assert.equal(await detail(page).locator('.text').textContent(), '<h1>Text</h1>');
    assert.equal(await page.locator('#messages .who').first().textContent(), '<i>sam@example.com</i>');
    await row(page, 'Bold').click();
    await page.getByText('from <u>sandbox</u>').waitFor();
    assert.equal(await detail(page).locator('.text').textContent(), body);
    assert.equal(await page.locator('#mail :is(b, i, u, em, h1, img, script)').count(), 0);
    await close();
  });

  test('an e-mail shows its HTML first, which is closed in; then text, source and invitation', async () => {
    const html =
      '<p style="color:red">Hello</p><img src="https://elsewhere.example/a.png" alt="out">' +
      '<script>document.body.append(document.createElement("hr"))</script><form action="/sandbox/clock"><button>Send</button></form>';
    await email({ subject: 'Your booking', html, calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' });
    const { page, complaints } = await look();
    await detail(page).getByRole('heading', { name: 'Your booking' }).waitFor();
    const frame = detail(page).frameLocator('iframe');
    assert.equal(await frame.locator('p').textContent(), 'Hello');
    assert.equal(
      await frame.locator('p').evaluate('getComputedStyle(document.querySelector("p")).color'),
      'rgb(255, 0, 0)',
    );
    assert.equal(await frame.locator('hr').count(), 0);
    await frame.getByRole('button').click();
    assert.equal(await detail(page).locator('iframe').getAttribute('sandbox'), '');
    const as = (name: string) => detail(page).getByRole('link', { name, exact: true });
    assert.equal(await as('HTML').getAttribute('aria-current'), 'true');
    await as('Text').click();
    await detail(page).locator('.text').getByText('The text', { exact: true }).waitFor();
    await as('Source').click();
    await detail(page).locator('pre').waitFor();
    assert.equal(await detail(page).locator('pre').textContent(), html);
    await as('Invitation').click();
    await detail(page)
      .locator('pre')
      .getByText(/^BEGIN:VCALENDAR/)
      .waitFor();
    await page.context().close();
    // The browser says what it has refused, and has asked nobody for the picture.
    assert.ok(
      complaints.every((line) => /^(?:error|asks https:\/\/elsewhere)/.test(line)),
      complaints.join('\n'),
    );
    assert.ok(
      complaints.some((line) => /img-src/.test(line)) && complaints.some((line) => /script/.test(line)),
    );
  });

  test('times are those of the viewer’s zone; an SMS says its segments, and its cost where the price is known', async () => {
    const costly = await startTestApp({
      gateways: sandboxGateways,
      config: { sandboxSegmentPrice: { units: 45, decimals: 3, currency: 'AUD' } },
    });
    const partner = await signedInPartner(costly);
    const workshopId = await linkedWorkshop(costly, [partner]);
    await partner.call('POST', `/workshops/${workshopId}/messages`, {
      phone: '0491570006',
      channels: { sms: { message: `Ready ✓ ${'x'.repeat(80)}` } },
    });
    const { page, close } = await visit(browser, `${costly.url}/sandbox`, { timezoneId: 'Australia/Perth' });
    const bubble = page.locator('.bubble');
    await bubble.getByText('Sent · 2 segments, UCS-2 · AUD 0.09 ·').waitFor();
    assert.match((await bubble.locator('time').getAttribute('title')) ?? '', /AWST$/);
    assert.match((await page.locator('#messages .badges').textContent()) ?? '', /2 segments, UCS-2/);
    await close();
    await costly.close();
  });

  test('filters by recipient, channel and outcome; by the recipient of a message too', async () => {
    await sms('one');
    await sms('two', { to: '+61491570110' });
    await email({ subject: 'three' });
    await sms('four', { outcome: 'refused', to: magicNumbers.refusedForGood });
    const { page, close } = await look();
    await shows(page, 3);
    await page.getByLabel('Recipient').fill('0491 570 110');
    await shows(page, 1);
    assert.deepEqual(await texts(page), ['two']);
    await page.getByLabel('Recipient').fill('nobody@example.com');
    await page.getByText('No message fits the filter.').waitFor();
    await page.getByLabel('Recipient').fill('');
    await shows(page, 3);
    await page.getByLabel('Channel').selectOption('E-mail');
    await shows(page, 1);
    assert.deepEqual(await texts(page), ['three']);
    await page.getByLabel('Channel').selectOption('All');
    await shows(page, 3);
    await page.getByLabel('Outcome').selectOption('Refused');
    await shows(page, 1);
    assert.deepEqual(await texts(page), ['four']);
    await page.getByLabel('Outcome').selectOption('Sent');
    await shows(page, 3);
    await row(page, 'one').click();
    await page.getByRole('link', { name: 'Show this recipient only' }).click();
    await shows(page, 1);
    assert.deepEqual(await texts(page), ['one']);
    await close();
  });

  test('shows new entries automatically, on top, and leaves what is chosen; or only when asked', async () => {
    const { page, close } = await look();
    await page.getByText('Nothing was sent yet').waitFor();
    await email({ subject: 'first', calendar: 'BEGIN:VCALENDAR' });
    await shows(page, 1);
    await detail(page).getByRole('link', { name: 'Invitation' }).click();
    await detail(page).locator('pre').waitFor();
    await sms('second');
    await shows(page, 2);
    assert.deepEqual(await texts(page), ['second', 'first']);
    assert.ok(await detail(page).locator('pre').isVisible());
    assert.equal(
      await page
        .locator('#messages [aria-current]')
        .textContent()
        .then((text) => text?.includes('first')),
      true,
    );
    await page.getByText('2 messages, newest first').waitFor();

    await page.getByLabel('Refresh by itself').uncheck();
    await sms('third');
    await page.getByRole('link', { name: 'Refresh' }).click();
    await shows(page, 3);
    await close();
  });

  test('older messages come page by page', async () => {
    for (let n = 1; n <= 120; n++) await sms(String(n));
    const { page, close } = await look();
    const older = page.getByRole('link', { name: 'Older' });
    await shows(page, 50);
    await older.click();
    await shows(page, 100);
    await sms('new');
    await page.locator('#messages li:first-child').getByText('new', { exact: true }).waitFor();
    await older.click();
    await shows(page, 121);
    await older.waitFor({ state: 'hidden' });
    const all = await texts(page);
    assert.deepEqual(all, ['new', ...Array.from({ length: 120 }, (_, index) => String(120 - index))]);
    await close();
  });

  test('without JavaScript messages are filtered, opened, shown as source, answered, and the clock is moved', async () => {
    await sms('Ready?');
    await email({ subject: 'Your booking', html: '<p>Hello</p>' });
    const { page, close } = await look({ javaScriptEnabled: false });
    await page.getByLabel('Channel').selectOption('SMS');
    await page.getByRole('button', { name: 'Show' }).click();
    assert.deepEqual(await texts(page), ['Ready?']);
    await page.goto(`${app.url}/sandbox`);
    await row(page, 'Your booking').click();
    await detail(page).getByRole('link', { name: 'Source' }).click();
    assert.equal(await detail(page).locator('pre').textContent(), '<p>Hello</p>');
    await row(page, 'Ready?').click();
    await page.getByLabel('Answer as +61491570006').fill('Yes');
    await page.getByRole('button', { name: 'Send' }).click();
    assert.match(page.url(), /message=/);
    await page.getByText('Clock', { exact: true }).click();
    await page.getByRole('button', { name: '+1 hour' }).click();
    await page.getByText('Moved forward by 1 hour.').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('Not moved.').waitFor();
    await close();
  });

  test('explains every magic number', async () => {
    const { page, close } = await look();
    await page.getByText('Numbers to try').click();
    const rows = await page.locator('#numbers tbody tr').allInnerTexts();
    const numbers = rows.map((row) => `+61${row.slice(1, 12).replaceAll(' ', '')}`);
    assert.deepEqual(numbers.sort(), Object.values(magicNumbers).sort());
    for (const row of rows) assert.match(row, /^(?:04\d\d \d{3} \d{3}|03 \d{4} \d{4})\s+[A-Z].+\.$/);
    await close();
  });

  test('shows the clock, and moves it by button, by any amount, and with the keyboard alone', async () => {
    const { page, close } = await look();
    await page.getByText('Clock', { exact: true }).click();
    const moved = page.locator('#moved');
    const says = (text: string) => moved.and(page.getByText(text, { exact: true })).waitFor();
    await says('Not moved.');
    const start = Date.parse((await page.locator('#now').getAttribute('datetime')) ?? '');
    assert.ok(Math.abs(start - app.clock.now().getTime()) < 5_000);
    await page.getByRole('button', { name: '+1 hour' }).click();
    await says('Moved forward by 1 hour.');
    await page.getByRole('button', { name: '+1 day' }).click();
    await says('Moved forward by 1 day 1 hour.');
    await page.getByRole('button', { name: '+48 hours' }).focus();
    await page.keyboard.press('Enter');
    await says('Moved forward by 3 days 1 hour.');
    await page.keyboard.press('Tab');
    await page.keyboard.type('45');
    await page.keyboard.press('Tab');
    await page.keyboard.type('min');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says('Moved forward by 3 days 1 hour 45 minutes.');
    assert.equal(app.clock.advanceSeconds(), 3 * 86_400 + 3_600 + 2_700);
    const now = Date.parse((await page.locator('#now').getAttribute('datetime')) ?? '');
    assert.ok(Math.abs(now - app.clock.now().getTime()) < 5_000);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await says('Not moved.');
    assert.equal(app.clock.advanceSeconds(), 0);
    await page.getByRole('button', { name: 'Back to now' }).waitFor({ state: 'hidden' });
    await close();
  });

  test('says plainly what went wrong: a clock that goes too far, a server that is away', async () => {
    const { page } = await look();
    await page.getByText('Clock', { exact: true }).click();
    await page.getByLabel('Forward by').fill('4000');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'would move the clock further' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
    await page.context().setOffline(false);
    await page.locator('#trouble').waitFor({ state: 'hidden' });
    await page.context().close();
  });

  test('fits 375 px, in light and in dark, and every control has a name', async () => {
    await sms(`${'long'.repeat(60)} and a text of a usual length, as workshops send it`);
    await email({ subject: 'x'.repeat(80), calendar: `DESCRIPTION:${'y'.repeat(200)}`, html: '<p>Hi</p>' });
    const grounds: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await look({ colorScheme, viewport: { width: 375, height: 812 } });
      await shows(page, 2);
      await page.getByText('Clock', { exact: true }).click();
      const width = () => page.evaluate('document.documentElement.scrollWidth');
      assert.equal(await width(), 375);
      assert.equal(await detail(page).isVisible(), false);
      await assertAccessible(page);
      await row(page, 'x'.repeat(80)).click();
      await detail(page).getByRole('link', { name: 'Invitation' }).click();
      await detail(page).locator('pre').waitFor();
      assert.deepEqual([await width(), await page.locator('#messages').isVisible()], [375, false]);
      await detail(page).getByRole('link', { name: 'All messages' }).click();
      await row(page, 'long').click();
      await detail(page).locator('.bubble').waitFor();
      assert.equal(await width(), 375);
      await assertAccessible(page);
      await page.goBack();
      await page.locator('#messages').waitFor();
      grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      const unnamed = await page.evaluate(
        `[...document.querySelectorAll('input, select, button')]
           .filter((control) => !(control.labels?.length || control.textContent.trim()))
           .map((control) => control.outerHTML)`,
      );
      assert.deepEqual(unnamed, []);
      await close();
    }
    assert.equal(new Set(grounds).size, 2);
  });
});
