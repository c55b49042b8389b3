/** /sandbox in a browser: answering an SMS as the customer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { magicNumbers } from '#platform/gateways/sms/sandbox.ts';
import { startTestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { sandboxGateways } from '../harness/sandbox.ts';
import { until } from '../harness/wait.ts';
import { linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { visit } from './visit.ts';

test('an SMS can be answered as the customer, in its conversation; what was refused, and an e-mail, can not', {
  skip: noBrowser,
}, async (t) => {
  const app = await startTestApp({ gateways: sandboxGateways });
  const partner = await signedInPartner(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  for (const phone of ['0491570006', magicNumbers.refusedForGood]) {
    const body = { phone, channels: { sms: { message: 'Ready?' } } };
    await partner.call('POST', `/workshops/${workshopId}/messages`, body);
  }
  const mail = {
    reference: 'r',
    to: 'sam@customer.example',
    subject: 'S',
    text: 'T',
    html: 'T',
    calendar: null,
  };
  await app.context.email.send({ ...mail, reference: partner.partnerId });

  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, close } = await visit(browser, `${app.url}/sandbox`);
  const field = page.getByLabel('Answer as +61491570006');
  const row = (text: string) => page.locator('#messages .row', { hasText: text });
  await row('sam@customer.example').click();
  await page.getByRole('link', { name: 'Text' }).waitFor();
  assert.equal(await field.count(), 0);
  await row('Ready?').click();
  await field.fill('<b>Yes</b>');
  await page.keyboard.press('Enter');
  const bubbles = page.locator('.bubble .text');
  await bubbles.nth(1).waitFor();
  assert.deepEqual(await bubbles.allTextContents(), ['Ready?', '<b>Yes</b>']);
  assert.equal(await page.locator('.bubble.answer').count(), 1);
  assert.equal(await field.inputValue(), '');
  const stored = () =>
    app.context.db.query<{ body: string }>(
      `SELECT body, recipient FROM message WHERE workshop_id = $1 AND direction = 'inbound' ORDER BY id`,
      [workshopId],
    );
  assert.deepEqual(await stored(), [{ body: '<b>Yes</b>', recipient: '+61491570006' }]);

  // What is being written stays when the page looks again, and so does the place.
  await field.fill('And');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await field.press('End');
  await page.keyboard.type(' more');
  await page.getByRole('button', { name: 'Send' }).click();
  await bubbles.nth(2).waitFor();
  assert.equal(await bubbles.last().textContent(), 'And more');
  assert.equal((await stored()).length, 2);

  // A look that begins before the filter's response, and ends after it, does not bring the earlier message back.
  const held: Route[] = [];
  let isHolding = true;
  await page.route(/outcome=refused/, (route) => (isHolding ? void held.push(route) : route.continue()));
  const asks = (begin: Promise<unknown>) => Promise.all([page.waitForRequest(/outcome=refused/), begin]);
  await asks(page.getByLabel('Outcome').selectOption('Refused'));
  const [look] = await asks(page.getByRole('link', { name: 'Refresh' }).click());
  assert.ok(new URL(look.url()).searchParams.has('message'));
  await until('two requests are held', () => held.length >= 2);
  isHolding = false;
  await held.shift()?.continue();
  await page.locator('.bubble.refused').waitFor();
  const refused = await page.locator('#detail').getAttribute('data-message');
  assert.ok(refused);
  await Promise.all(held.map((route) => route.continue()));
  await (await look.response())?.finished();
  const [next] = await asks(page.getByRole('link', { name: 'Refresh' }).click());
  assert.equal(new URL(next.url()).searchParams.get('message'), refused);
  assert.equal(await page.locator('.answer-form').count(), 0);
  await close();
});
