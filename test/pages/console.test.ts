/** The office as its people use it: in a browser, by keyboard alone, on a phone without JavaScript, and checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { defaultSettings } from '#product/availability/set-up/setup.ts';
import { baseOf, type Person, signedInPerson } from '../fixtures/office.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { bookingBody, linkedWorkshop, type SignedInPartner, signedInPartner } from '../harness/world.ts';
import { assertAccessible, desk, picture, refusals, scriptless } from './customer.ts';
import { type Visit, visit } from './visit.ts';

let app: TestApp;
let browser: Browser;
let owner: Person;
let partner: SignedInPartner;
/** Of a workshop with one bay, whose free times are held to. */
let strict: string;
/** Of a workshop with a busy day, and the ids of its bookings. */
let busy: string;
let bookings: readonly string[];
let customerId: string;

before(async () => {
  if (noBrowser) return;
  app = await startTestApp();
  // Monday 4 March 2030, 10:10 in Melbourne.
  app.clock.setAdvance(Math.round((Date.parse('2030-03-03T23:10:00Z') - Date.now()) / 1_000));
  partner = await signedInPartner(app);
  const busyId = await linkedWorkshop(app, [partner], { colour: '#0f766e' });
  const strictId = await linkedWorkshop(app, [partner], { name: 'One Bay' });
  const { db } = app.context;
  await db.transaction(async (tx) => {
    const settings = { ...defaultSettings, bays: 1, enforceAvailability: true };
    await writeSetup(tx, strictId, { settings }, app.clock.now());
    await writeSetup(tx, busyId, { settings: { ...defaultSettings, bays: 4 } }, app.clock.now());
  });
  bookings = await fillDay(busyId);
  const [customer] = await db.query<{ id: string }>('SELECT id FROM customer ORDER BY id LIMIT 1', []);
  customerId = customer?.id ?? '';
  owner = await signedInPerson(app, [busyId, strictId]);
  [busy, strict] = await Promise.all([baseOf(app, busyId), baseOf(app, strictId)]);
  browser = await launchBrowser();
});
after(() => browser?.close());

/** Twelve bookings of one day in all states; returns their ids, the last are pending and to come. */
async function fillDay(workshopId: string): Promise<string[]> {
  const names = ['Sam Taylor', 'Kim Lee', 'Priya Nair', 'Jo Baker', 'Ali Hassan', 'Mia Rossi'];
  const ids: string[] = [];
  for (const n of Array(12).keys()) {
    const { status, body } = await partner.call(
      'POST',
      '/bookings',
      bookingBody(workshopId, {
        bookingTime: new Date(Date.parse('2030-03-03T23:15:00Z') + n * 20 * 60_000).toISOString(),
        customerName: names[n % names.length],
        carRego: `AB${n}1CD`,
        customerPhone: `04915700${10 + n}`,
        notes: 'Brakes squeal',
        services: [{ title: n % 2 ? 'Logbook service' : 'New tyres' }],
      }),
    );
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(body.booking.id);
  }
  const states = ['collected', 'here', 'ready', 'here', 'didNotCome', 'expected'];
  const { db } = app.context;
  await db.query(
    `INSERT INTO attendance (booking_id, state, actor, at)
     SELECT its, state, 'x', now() FROM unnest($1::uuid[], $2::text[]) AS made (its, state)`,
    [ids.slice(0, states.length), states],
  );
  const statuses = [
    'completed',
    'confirmed',
    'confirmed',
    'confirmed',
    'confirmed',
    'confirmed',
    'cancelled',
  ];
  await db.query(
    `UPDATE booking SET status = given FROM unnest($1::uuid[], $2::text[]) AS made (its, given) WHERE id = its`,
    [ids.slice(0, statuses.length), statuses],
  );
  // The first three were due before it is now: one is late.
  await db.query(
    `UPDATE booking SET date = date - interval '2 hours', occupied_from = occupied_from - interval '2 hours',
       occupied_until = occupied_until - interval '2 hours' WHERE id = ANY($1::uuid[])`,
    [[...ids.slice(0, 3), ids[5]]],
  );
  await app.drain();
  return ids;
}

/** Opens a place of the console in a browser of its own, signed in as `person`; null: as nobody. */
async function open(
  path: string,
  options: BrowserContextOptions = desk,
  person: Person | null = owner,
): Promise<Visit> {
  const cookies = person === null ? [] : [cookieOf(person)];
  return visit(
    browser,
    `${app.url}${path}`,
    { ...options, storageState: { cookies, origins: [] } },
    refusals,
  );
}

function cookieOf({ cookie }: Person) {
  const [name = '', value = ''] = cookie.split('=');
  return {
    ...{ name, value, domain: new URL(app.url).hostname, path: '/', expires: -1 },
    ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
  };
}

/** What is focused, by the names that it has for whoever reads or hears it. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(({ activeElement: at }) => [at.textContent, at.getAttribute('aria-label'), at.labels?.[0]?.textContent].join(' '))(document)`,
  );

/** Presses Tab until the focus is on what has this text. */
async function tabTo(page: Page, text: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key);
    if (text.test((await focused(page)).trim())) return;
  }
  assert.fail(`the keyboard does not reach ${text}`);
}

async function press(page: Page, text: RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await tabTo(page, text, key);
  await page.keyboard.press('Enter');
}

/** Waits until the region that speaks of one's own actions has this text. */
const says = (page: Page, text: string) =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${text}$`) })
    .waitFor({ state: 'attached' });

const statusOf = async (id: string) =>
  (
    await app.context.db.query<{ status: string; date: Date }>(
      'SELECT status, date FROM booking WHERE id = $1',
      [id],
    )
  )[0];
const idOf = (page: Page) => /bookings\/([\da-f-]{36})/.exec(page.url())?.[1] ?? '';
/** Undo's time is over. */
async function later(): Promise<void> {
  await app.context.db.query("UPDATE held_event SET held_until = clock_timestamp() - interval '1 second'");
  await app.drain();
}

describe('the console', { skip: noBrowser }, () => {
  test('axe finds nothing at any size and in any colours; CSS and scripts of a first visit are at most 60 KB', async () => {
    const pending = `${busy}/bookings/${bookings.at(-1)}`;
    const places = {
      today: `${busy}/today`,
      booking: pending,
      new: `${busy}/bookings/new?rego=AB31CD`,
      move: `${pending}/move`,
      cancel: `${pending}/cancel`,
      customers: `${busy}/customers`,
      customer: `${busy}/customers/${customerId}`,
      find: `${busy}/find?q=AB`,
      inbox: `${busy}/inbox`,
      me: '/console/me',
      people: `${busy}/settings/people`,
      'sign-in': '/console/sign-in',
    };
    const found: string[] = [];
    for (const [name, path] of Object.entries(places)) {
      const { page, close } = await open(path, desk, name === 'sign-in' ? null : owner);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, name);
      const check = async (how: string, rules?: readonly string[]) => {
        await picture(page, `console-${name}-${how}`);
        await assertAccessible(page, rules).catch(({ message }: Error) =>
          found.push(`${name}, ${how}: ${message.split('\n+ actual')[0]}`),
        );
      };
      await check('1280');
      await page.emulateMedia({ colorScheme: 'dark' });
      await check('dark', colourRules);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      await check('forced', colourRules);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      for (const width of [375, 320]) {
        await page.setViewportSize({ width, height: 740 });
        await check(String(width));
      }
      const bytes = await page.evaluate<number>(weight);
      assert.ok(bytes > 1_000 && bytes <= 60 * 1_024, `${name}: ${bytes} bytes of CSS and JavaScript`);
      await close();
    }
    assert.deepEqual(found, [], found.join('\n'));
  });

  test('text at twice its size: no page of the day scrolls sideways', async () => {
    for (const path of [`${busy}/today`, `${busy}/bookings/${bookings.at(-1)}`]) {
      const { page, close } = await open(path, { viewport: { width: 640, height: 900 } });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      await picture(page, `console-text-200-${path.split('/')[4]}`);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(tooWide) <= 0, `${path} is ${tooWide} pixels too wide`);
      await close();
    }
  });

  test('by keyboard alone: found, booked, confirmed, taken back, and marked as here', async () => {
    const { page, close } = await open(`${strict}/today`);
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'find');
    await press(page, /^New booking$/);
    await page.getByRole('heading', { name: 'New booking' }).waitFor();
    await tabTo(page, /^Registration$/);
    await page.keyboard.type('key 001');
    await tabTo(page, /^Name$/);
    await page.keyboard.type('Kay/Board');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Kay/Board', '/ is typed where typing is');
    await tabTo(page, /^Service$/);
    await page.keyboard.type('Logbook service');
    await tabTo(page, /^Time$/);
    await page.keyboard.type('0100PM');
    await press(page, /^Book$/);
    await says(page, 'Booked.');
    const id = idOf(page);
    assert.deepEqual(await statusOf(id), { status: 'pending', date: new Date('2030-03-04T02:00:00Z') });

    await press(page, /^Confirm$/);
    await says(page, 'Confirmed.');
    assert.equal((await statusOf(id))?.status, 'confirmed');
    await press(page, /^Undo$/);
    await says(page, 'Undone.');
    assert.equal((await statusOf(id))?.status, 'pending');

    await press(page, /^Here$/);
    await says(page, 'Marked.');
    const pressed = page.getByRole('group', { name: 'Attendance' }).locator('[aria-pressed=true]');
    assert.deepEqual(await pressed.allTextContents(), ['Here']);

    // What is found shows while somebody types; arrow keys lead to it.
    await app.drain();
    await page.keyboard.press('/');
    await page.keyboard.type('KEY001');
    await page.locator('#found [data-result]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: /KEY001|Kay/ })
      .first()
      .waitFor();
    await close();
  });

  test('/ does nothing for whoever turned single keys off', async () => {
    const person = await signedInPerson(app, [await idOfWorkshop(strict)], 'adviser');
    await app.context.db.query('UPDATE person SET single_keys = false WHERE id = $1', [person.personId]);
    const { page, close } = await open(`${strict}/today`, desk, person);
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), '');
    await close();
  });

  test('on a phone without JavaScript: booked, moved, put back, cancelled, and booked alike', async () => {
    const { page, close } = await open(`${strict}/today`, scriptless);
    await page.getByRole('link', { name: 'New booking' }).click();
    await page.getByLabel('Registration').fill('PHN 001');
    await page.getByLabel('Name', { exact: true }).fill('Phil Phone');
    await page.getByLabel('Date').fill('2030-03-05');
    await page.getByLabel('Time').fill('10:00');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await says(page, 'Booked.');
    const id = idOf(page);
    const path = `${app.url}${strict}/bookings/${id}`;

    await page.getByRole('link', { name: 'Move', exact: true }).click();
    await page.getByLabel('Date').fill('2030-03-06');
    await page.getByLabel('Time').fill('11:00');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');
    assert.equal((await statusOf(id))?.date.toISOString(), '2030-03-06T00:00:00.000Z');
    await later();
    await page.goto(path);
    await page.getByRole('link', { name: 'Put it back' }).click();
    assert.equal(await page.getByLabel('Date').inputValue(), '2030-03-05');
    assert.equal(await page.getByLabel('Time').inputValue(), '10:00');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');

    await page.getByRole('link', { name: 'Cancel booking' }).click();
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    await says(page, 'Cancelled.');
    assert.equal((await statusOf(id))?.status, 'cancelled');
    await later();
    await page.goto(path);
    await page.getByRole('link', { name: 'Put it back' }).click();
    await page.getByRole('heading', { name: 'New booking' }).waitFor();
    assert.equal(await page.getByLabel('Registration').inputValue(), 'PHN001');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Phil Phone');
    assert.equal(await page.getByLabel('Date').inputValue(), '2030-03-05');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await says(page, 'Booked.');
    assert.notEqual(idOf(page), id);
    await close();
  });

  test('a time that is taken: other times as buttons, which keep what was typed, and Book anyway with its reason', async () => {
    const { page, close } = await open(`${strict}/bookings/new`);
    const book = async (rego: string) => {
      await page.goto(`${app.url}${strict}/bookings/new`);
      await page.getByLabel('Registration').fill(rego);
      await page.getByLabel('Date').fill('2030-03-07');
      await page.getByLabel('Time').fill('10:00');
      await page.getByRole('button', { name: 'Book', exact: true }).click();
    };
    await book('TAKEN1');
    await says(page, 'Booked.');
    await book('TAKEN2');
    const free = page.locator('.conflict').getByRole('button');
    await free.first().waitFor();
    await assertAccessible(page);
    assert.match(await page.title(), /^Error: New booking/);
    await free.first().click();
    await says(page, 'Booked.');
    const moved = await statusOf(idOf(page));
    assert.notEqual(moved?.date.toISOString(), '2030-03-06T23:00:00.000Z');
    await page.getByText('TAKEN2').first().waitFor();

    await book('TAKEN3');
    await page.getByLabel('Reason').fill('x');
    await page.getByRole('button', { name: 'Book anyway' }).click();
    await page.locator('#reason-error').waitFor();
    assert.equal(
      await page.locator('.notice a').getAttribute('href'),
      '#reason',
      'the fault leads to its field',
    );
    assert.equal(await page.getByLabel('Registration').inputValue(), 'TAKEN3');
    await page.getByLabel('Reason').fill('Waits for it');
    await page.getByRole('button', { name: 'Book anyway' }).click();
    await says(page, 'Booked.');
    await page.getByText('Booked anyway: Waits for it').waitFor();
    assert.equal((await statusOf(idOf(page)))?.date.toISOString(), '2030-03-06T23:00:00.000Z');
    await close();
  });
});

/** Those that depend on the colours: the rest is the same in all. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Bytes of CSS and scripts as sent, whether they came now or were kept. */
const weight = `performance.getEntriesByType('resource').filter(({ name }) => /\\.m?(css|js)$/.test(new URL(name).pathname))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  + [...document.querySelectorAll('style')].reduce((sum, { textContent }) => sum + textContent.length, 0)`;

const idOfWorkshop = async (base: string) =>
  (
    await app.context.db.query<{ id: string }>('SELECT id FROM workshop WHERE slug = $1', [
      base.split('/').at(-1),
    ])
  )[0]?.id ?? '';
