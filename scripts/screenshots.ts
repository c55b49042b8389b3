/**
 * `npm run screenshots`: the pictures of docs/console.md, made again of the demo's busy day: a server on a free port of this machine, with a
 * folder of its own, which is gone afterwards. Chromium is that of the tests.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type DemoServer, withDemoServer } from './demo-server.ts';
import { findBrowser } from './test/browser.ts';

interface Picture {
  readonly name: string;
  readonly width: 375 | 1280;
  readonly scheme: 'light' | 'dark';
  /** In place of the usual. */
  readonly height?: number;
  /** Below the workshop's places. */
  readonly path: string;
  /** A link of that page, by its text, that is followed first. */
  readonly follow?: string;
}

/** THE PICTURES. */
const pictures: readonly Picture[] = [
  { name: 'today', width: 1280, scheme: 'light', path: 'today' },
  { name: 'today-dark', width: 1280, scheme: 'dark', path: 'today' },
  { name: 'today-phone', width: 375, scheme: 'light', path: 'today' },
  { name: 'booking', width: 1280, scheme: 'light', path: 'today', follow: 'Ella Stone' },
  { name: 'booking-phone', width: 375, scheme: 'light', path: 'today', follow: 'Ella Stone' },
  { name: 'new-booking', width: 1280, scheme: 'light', path: 'bookings/new?rego=1EFG88' },
  { name: 'inbox', width: 1280, height: 680, scheme: 'light', path: 'inbox', follow: 'Aria Walsh' },
  { name: 'inbox-phone', width: 375, height: 900, scheme: 'light', path: 'inbox', follow: 'Aria Walsh' },
  { name: 'week', width: 1280, scheme: 'light', path: 'week' },
  { name: 'quote', width: 1280, scheme: 'light', path: 'quotes', follow: 'Timing chain' },
  { name: 'calls', width: 1280, scheme: 'light', path: 'calls' },
  { name: 'reminders', width: 1280, scheme: 'light', path: 'reminders' },
  { name: 'report', width: 1280, scheme: 'light', path: 'report' },
];

const bytesAtMost = 150 * 1024;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'console');

const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-screenshots-'));
try {
  // The demo's day is made for the time that it is; a second start makes one for a morning.
  await withDemoServer(dataDir, async ({ url }) => advanceToMorning(url));
  await withDemoServer(dataDir, takeAll);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** Moves the business clock to twenty to eleven of the next working day in Melbourne, where the demo's first workshop is. */
async function advanceToMorning(url: string): Promise<void> {
  const now = Temporal.Now.zonedDateTimeISO('Australia/Melbourne');
  let morning = now.add({ days: 1 }).withPlainTime('10:40');
  while (morning.dayOfWeek > 5) morning = morning.add({ days: 1 });
  const advanceSeconds = Math.floor((morning.epochMilliseconds - now.epochMilliseconds) / 1000);
  const moved = await fetch(`${url}/sandbox/clock`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ advanceSeconds }),
  });
  if (!moved.ok) throw new Error(`the clock was not moved: ${moved.status}`);
}

async function takeAll({ url, consoleUrl }: DemoServer): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? '',
    // Text in shades of grey makes smaller files.
    args: ['--disable-lcd-text', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const signIn = await browser.newPage();
    await signIn.goto(consoleUrl);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    const workshops = signIn.locator('.workshops');
    await workshops.locator('summary').click();
    await workshops.getByRole('link', { name: 'Yarra Street Motors' }).click();
    await signIn.waitForURL(/\/today$/);
    const base = new URL(signIn.url()).pathname.replace(/\/today$/, '');
    await settled(signIn);
    const cookies = await signIn.context().storageState();
    for (const picture of pictures) await take(browser, { url, base, cookies }, picture);
  } finally {
    await browser.close();
  }
}

/** Resolves once the demo's day is made: the open page hears of no change for two seconds. Throws where that takes half a minute. */
async function settled(page: Page): Promise<void> {
  const changes = page.locator('#changes');
  for (let tries = 0; tries < 15; tries += 1) {
    await page.reload();
    await page.waitForTimeout(2_000);
    if ((await changes.textContent()) === '') return;
  }
  throw new Error('the demo is still being made');
}

interface Office {
  readonly url: string;
  readonly base: string;
  readonly cookies: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;
}

async function take(browser: Browser, { url, base, cookies }: Office, picture: Picture): Promise<void> {
  const { name, width, scheme, path, follow } = picture;
  const context = await browser.newContext({
    ...{
      storageState: cookies,
      colorScheme: scheme,
      viewport: { width, height: picture.height ?? (width < 500 ? 720 : 640) },
    },
  });
  const page = await context.newPage();
  await page.goto(`${url}${base}/${path}`);
  if (follow !== undefined) {
    await page.getByRole('link', { name: follow }).first().click();
    await page.waitForURL(/\/(bookings|inbox|quotes)\/[\da-f-]{36}/);
  }
  if ((await page.locator('#changes').count()) > 0) await settled(page);
  // That the clock was moved is true of the pictures alone.
  await page.locator('.moved').evaluateAll((notes) => notes.map((note) => note.remove()));
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  const { size } = statSync(file);
  if (size > bytesAtMost) throw new Error(`${name}.png has ${size} bytes, over ${bytesAtMost}`);
  console.log(`${name}.png ${Math.ceil(size / 1024)} KB`);
}
