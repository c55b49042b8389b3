/** Quotes at the desk, in a browser: priced by keyboard alone, on a phone without JavaScript, accepted for a customer, and checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { actors } from '#base/values/actor.ts';
import { declineQuote } from '#product/quotes/decline.ts';
import type { Quote } from '#product/quotes/schema.ts';
import { logbook, setCatalogue, tyres } from '../fixtures/catalogue.ts';
import { baseOf, type Person, signedInPerson } from '../fixtures/office.ts';
import { type QuoteWorld, quoteWorld } from '../fixtures/quote-api.ts';
import { pricedQuote } from '../fixtures/quote-pages.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, desk, phone, picture, scriptless } from './customer.ts';
import { press, tabTo } from './keyboard.ts';
import { faultsOfLooks } from './looks.ts';
import { openConsole } from './office.ts';

let world: QuoteWorld;
let browser: Browser;
let base = '';
let owner: Person;

before(async () => {
  if (noBrowser) return;
  world = await quoteWorld();
  const { app, workshopId } = world;
  await setCatalogue(app, workshopId, [logbook, tyres]);
  base = await baseOf(app, workshopId);
  owner = await signedInPerson(app, [workshopId]);
  browser = await launchBrowser();
});
after(() => browser?.close());

const open = (path: string, options: BrowserContextOptions = desk) =>
  openConsole(browser, { app: world.app, owner }, `${base}/${path}`, options);
const openQuote = ({ id }: Pick<Quote, 'id'>, options?: BrowserContextOptions) =>
  open(`quotes/${id}`, options);

describe('quotes at the desk', { skip: noBrowser }, () => {
  test('priced by keyboard alone: a service of the catalogue, a line of one’s own, what it comes to, and the text before it goes', async () => {
    const quote = await world.ask({ services: [{ title: 'Squeaking brakes' }], notes: 'Mornings only' });
    const { page, close } = await openQuote(quote);
    const { keyboard } = page;
    const at = (id: string) => page.locator(`#${id}:focus`).waitFor();
    // What was asked for stands in the first line already.
    assert.equal(await page.getByLabel('Title').first().inputValue(), 'Squeaking brakes');
    await tabTo(page, /^Price$/);
    await keyboard.type('94,50');
    await page.getByText('Total $94.50').first().waitFor();
    // Enter shows what it comes to, and sends nothing.
    await keyboard.press('Enter');
    await page.locator('[data-typed]').waitFor();
    assert.equal((await world.read(quote.id)).status, 'requested');
    await page.getByLabel('Price').focus();
    await tabTo(page, /From the catalogue/);
    await keyboard.type('Logbook');
    await press(page, /^Add line$/);
    await at('quantity2');
    assert.equal(await page.getByLabel('Title').nth(1).inputValue(), 'Logbook service');
    await page.getByText('Total $293.50').first().waitFor();
    await press(page, /^Add line$/);
    await at('title3');
    await keyboard.type('Fluid');
    await tabTo(page, /^Quantity$/);
    await keyboard.type('0.5');
    await tabTo(page, /^Price$/);
    await keyboard.type('20');
    await page.getByText('Total $303.50').first().waitFor();
    await press(page, /Move line 3 up$/);
    await at('title2');
    assert.equal(await page.getByLabel('Title').nth(1).inputValue(), 'Fluid');
    await page.getByRole('group', { name: 'What the customer sees' }).getByText('Fluid').waitFor();
    await tabTo(page, /^Message$|^MessageThe/);
    await keyboard.type('Both front wheels.');
    await page
      .getByRole('group', { name: 'What the customer sees' })
      .getByText('Both front wheels.', { exact: true })
      .waitFor();
    await page.getByText('your quote for ABC123 is $303.50', { exact: false }).first().waitFor();
    await picture(page, 'quotes-desk-priced-1280');
    await press(page, /^Send quote$/);
    await page.getByRole('heading', { name: 'What they see now' }).waitFor();
    const { status, total, lines } = await world.read(quote.id);
    assert.deepEqual([status, total], ['quoted', 303.5]);
    assert.deepEqual(
      lines.map(({ title, quantity, unitPrice }) => [title, quantity, unitPrice]),
      [
        ['Squeaking brakes', 1, 94.5],
        ['Fluid', 0.5, 20],
        ['Logbook service', 1, 199],
      ],
    );
    await close();
  });

  test('on a phone without JavaScript: a line more, what it comes to, and sent', async () => {
    const quote = await world.ask();
    const { page, close } = await openQuote(quote, scriptless);
    await page.getByLabel('Price').fill('94.50');
    await page.getByLabel('Message').fill('Kept words');
    await page.getByRole('button', { name: 'Add line' }).click();
    await page.getByLabel('Title').nth(1).fill('Labour');
    await page.getByLabel('Quantity').nth(1).fill('1.5');
    await page.getByLabel('Price').nth(1).fill('-1');
    await page.getByRole('button', { name: 'Send quote' }).click();
    await page.getByText('Price of line 2 must be from 0').waitFor();
    await page.getByLabel('Price').nth(1).fill('120');
    await page.getByRole('button', { name: 'Show what they see' }).click();
    await page.getByText('Total $274.50').first().waitFor();
    await picture(page, 'quotes-desk-scriptless');
    assert.equal(await page.getByLabel('Message').inputValue(), 'Kept words');
    await page.getByRole('button', { name: 'Send quote' }).click();
    await page.getByText('Sent to the customer.').waitFor();
    assert.equal((await world.read(quote.id)).total, 274.5);
    await close();
  });

  test('the customer declines while somebody prices it again: the page says so, keeps what was typed, and so does the refusal', async () => {
    const quote = await pricedQuote(world);
    const { page, close } = await openQuote(quote);
    await page.getByLabel('Price').first().fill('50');
    await page.getByRole('button', { name: 'Add line' }).click();
    await page.locator('#title3:focus').waitFor();
    // Neither caret nor pointer holds the form: what the server has given back counts as typed.
    await page.evaluate('document.activeElement.blur()');
    await page.mouse.move(0, 0);
    await declineQuote(world.app.context, quote.id, actors.customerByLink('r'));
    await page.getByRole('status').filter({ hasText: 'Changed by somebody' }).waitFor({ state: 'attached' });
    await page.getByText('✕ Declined').waitFor();
    assert.equal(await page.getByLabel('Price').first().inputValue(), '50');
    assert.equal(await page.getByLabel('Title').count(), 3);
    await page.getByRole('button', { name: 'Send quote' }).click();
    await page.getByText('Somebody changed this meanwhile.').waitFor();
    assert.equal(await page.getByLabel('Price').first().inputValue(), '50');
    await page.getByText('declined it').first().waitFor();
    await close();
  });

  test('accepted by phone on a phone: a free time is chosen, and the booking is there', async () => {
    const quote = await pricedQuote(world);
    const { page, close } = await openQuote(quote, phone);
    await page.getByRole('link', { name: 'Accept by phone' }).click();
    await page.locator('#free button').first().click();
    await page.waitForURL(/at=/);
    await picture(page, 'quotes-desk-accept-375');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Accept and book' }).click();
    await page.getByText('✓ Accepted').first().waitFor();
    assert.equal((await world.read(quote.id)).status, 'accepted');
    await picture(page, 'quotes-desk-accepted-375');
    await close();
  });

  test('axe finds nothing at any size and in any colours; CSS and scripts of a first visit are at most 60 KB', async () => {
    const waits = await world.ask({ notes: 'Squeaks when braking, mornings only' });
    const sent = await pricedQuote(world);
    const places = {
      list: 'quotes',
      sent: 'quotes?filter=quoted',
      price: `quotes/${waits.id}`,
      again: `quotes/${sent.id}`,
      accept: `quotes/${sent.id}/accept`,
      decline: `quotes/${sent.id}/decline`,
    };
    const found: string[] = [];
    for (const [name, path] of Object.entries(places)) {
      const { page, close } = await open(path);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, name);
      found.push(...(await faultsOfLooks(page, `quotes-desk-${name}`)));
      await close();
    }
    assert.deepEqual(found, [], found.join('\n'));
  });
});
