/** Long because all of it stands on one office and one browser: Passkeys, with an authenticator of the browser's own, made, used, and refused where they are not right; and the pages of second factors by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { shownBy } from '../fixtures/factors.ts';
import { baseOf, type Person, signedInPerson } from '../fixtures/office.ts';
import { secondApp } from '../fixtures/second-app.ts';
import { codeFor } from '../fixtures/visit.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { linkedWorkshop } from '../harness/world.ts';
import { assertAccessible, colourRules, desk, picture, refusals, scriptless, weight } from './customer.ts';
import { type Visit, visit } from './visit.ts';

let app: TestApp;
let browser: Browser;
let workshopId: string;
let base: string;
/** Browsers make passkeys for names alone. */
let url: string;

before(async () => {
  if (noBrowser) return;
  app = await startTestApp();
  url = app.url.replace('127.0.0.1', 'localhost');
  workshopId = await linkedWorkshop(app, []);
  base = await baseOf(app, workshopId);
  browser = await launchBrowser();
});
after(() => browser?.close());

const someone = () => signedInPerson(app, [workshopId]);

/** A browser at that place, signed in as that person; null: as nobody. */
function open(path: string, person: Person | null, options: BrowserContextOptions = desk): Promise<Visit> {
  const value = person?.cookie.split('=')[1] ?? '';
  const cookie = {
    ...{ name: 'pitlane', value, domain: 'localhost', path: '/', expires: -1 },
    ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
  };
  const storageState = { cookies: person === null ? [] : [cookie], origins: [] };
  return visit(browser, url + path, { ...options, storageState }, expected);
}

/** What the browser says of refusals and sign-outs. */
const expected = new RegExp(`${refusals.source}|Clear-Site-Data header`);

interface Authenticator {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** A laptop with a finger on it; else a security key without a PIN. */
async function plugIn(page: Page, hasUserVerification = true): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{
        protocol: 'ctap2',
        transport: hasUserVerification ? 'internal' : 'usb',
        hasResidentKey: true,
        hasUserVerification,
      },
      ...{ isUserVerified: hasUserVerification, automaticPresenceSimulation: true },
    },
  });
  return { cdp, authenticatorId };
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto(`${url}/console/me/passkeys/new`);
  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.waitForURL(/console\/me(\/passkeys|\?said=passkeyAdded)$/);
}

const signOut = async (page: Page) => {
  await page.goto(`${url}/console/sign-out`);
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/sign-in$/);
};
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

/** What the page sends to the service for a passkey, taken by the way. */
function answers(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/console/sign-in/passkey')
      sent.push(new URLSearchParams(request.postData() ?? '').get('credential') ?? '');
  });
  return sent;
}

/** Sends an answer as the page's form does, with the cookies of its browser. */
async function send(
  page: Page,
  credential: string,
  to = url,
): Promise<{ status: number; to: string | null }> {
  const answer = await page.request.post(`${to}/console/sign-in/passkey`, {
    ...{ form: { credential }, maxRedirects: 0 },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  return { status: answer.status(), to: answer.headers()['location'] ?? null };
}

/** Asks the service for a challenge, as the page does, and the browser's passkey for its answer to it. */
const answerHere = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const response = await fetch('/console/sign-in/passkey/options', { method: 'POST', body: new URLSearchParams() });
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await response.json());
    return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON());
  })()`);

const failures = async (personId: string) =>
  (
    await app.context.db.query(
      `SELECT FROM audit_entry WHERE subject_id = $1 AND action = 'person.signInFailed' AND after ->> 'by' = 'passkey'`,
      [personId],
    )
  ).length;

describe('passkeys', { skip: noBrowser }, () => {
  test('one is added, signs in without an address or a code, and is removed (specification: People and their sign-in 9)', async () => {
    const kim = await someone();
    const { page, close } = await open('/console/me', kim);
    await plugIn(page);
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await addPasskey(page);
    assert.equal(await page.locator('ol.codes li').count(), 10, 'the first one brings recovery codes');
    assert.match((await kim.get('/console')).location ?? '', /sign-in/, 'the session has a new id');
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.waitForURL(`${url}${base}/today`);
    await signOut(page);
    await page.goto(`${url}/console/sign-in?${new URLSearchParams({ next: `${base}/week` })}`);
    await passkeyButton(page).click();
    await page.waitForURL(`${url}${base}/week`);
    await page.goto(`${url}/console/me`);
    const me = await page.locator('main').textContent();
    assert.match(me ?? '', /My laptop\s*Added .* last used/);
    assert.match(me ?? '', /by a passkey/);
    // After a code the passkey is asked for: whoever reads the e-mail is not in.
    await signOut(page);
    await page.getByLabel('E-mail').fill(kim.email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').fill(await codeFor(app, kim.email));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/sign-in\/second$/);
    await passkeyButton(page).click();
    await page.waitForURL(`${url}${base}/today`);
    await page.goto(`${url}/console/me`);
    await page.getByRole('button', { name: 'Remove the passkey My laptop' }).click();
    await page.waitForURL(/said=removed/);
    await signOut(page);
    await passkeyButton(page).click();
    await page.getByText('The passkey is not known here').waitFor();
    const actions = await app.context.db.query<{ action: string }>(
      `SELECT action FROM audit_entry WHERE subject_id = $1 AND action ~ 'passkey' ORDER BY id`,
      [kim.personId],
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['person.passkeyAdded', 'person.passkeyRemoved'],
    );
    await close();
  });

  test('an answer is good once, in the browser that was asked, within five minutes (specification: People and their sign-in 9)', async () => {
    const kim = await someone();
    const { page, close } = await open('/console/me', kim);
    await plugIn(page);
    await addPasskey(page);
    await signOut(page);
    const sent = answers(page);
    await passkeyButton(page).click();
    await page.waitForURL(`${url}${base}/today`);
    const [credential = ''] = sent;
    assert.match(credential, /clientDataJSON/);
    await signOut(page);
    // What it counts to is not what refuses it.
    await app.context.db.query('UPDATE passkey SET counter = 0 WHERE person_id = $1', [kim.personId]);
    assert.equal((await send(page, credential)).status, 422, 'a challenge is used up');
    // Another challenge does not make the old answer a right one.
    await page.evaluate(
      `fetch('/console/sign-in/passkey/options', { method: 'POST', body: new URLSearchParams() })`,
    );
    assert.equal((await send(page, credential)).status, 422);
    const own = await answerHere(page);
    const { page: stranger, close: closeStranger } = await open('/console/sign-in', null);
    await stranger.evaluate(
      `fetch('/console/sign-in/passkey/options', { method: 'POST', body: new URLSearchParams() })`,
    );
    assert.equal((await send(stranger, own)).status, 422, 'in another browser');
    assert.equal((await send(page, own)).status, 303, 'the same answer is right in its own');
    const late = await answerHere(page);
    await app.context.db.query('UPDATE passkey_challenge SET expires_at = clock_timestamp()');
    assert.equal((await send(page, late)).status, 422);
    assert.equal((await send(page, 'no json')).status, 422);
    assert.ok((await failures(kim.personId)) >= 2);
    await closeStranger();
    await close();
  });

  test('of another origin, without a finger or PIN, or copied: refused (specification: People and their sign-in 9)', async () => {
    const kim = await someone();
    const { page } = await open('/console/me', kim);
    const { cdp, authenticatorId } = await plugIn(page);
    await addPasskey(page);
    await signOut(page);

    // A page of the same host on another port gets the answer, as one that has tricked somebody would.
    const other = await secondApp(app);
    const elsewhere = other.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${elsewhere}/console/sign-in`);
    const foreign = await answerHere(page);
    assert.match(Buffer.from(JSON.parse(foreign).response.clientDataJSON, 'base64url').toString(), /origin/);
    const before = await failures(kim.personId);
    assert.deepEqual(await send(page, foreign), { status: 422, to: null });
    assert.equal(await failures(kim.personId), before + 1);
    await page.goto(`${url}/console/sign-in`);
    assert.equal((await send(page, await answerHere(page))).status, 303, 'from its own it is right');

    // The browser is let off verifying anybody; the service does not know.
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.route('**/passkey/options', async (route) => {
      const response = await route.fetch();
      const options = { ...(await response.json()), userVerification: 'discouraged' };
      await route.fulfill({ response, json: options });
    });
    await page.goto(`${url}/console/sign-in?other=1`);
    assert.equal((await send(page, await answerHere(page))).status, 422);
    await page.unroute('**/passkey/options');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });

    // A copy has not counted what the first has signed since.
    await app.context.db.query('UPDATE passkey SET counter = 1000 WHERE person_id = $1', [kim.personId]);
    assert.equal((await send(page, await answerHere(page))).status, 422);
    await page.context().close();
  });

  test('one that was made without a finger or PIN is not added', async () => {
    const kim = await someone();
    const { page, close } = await open('/console/me/passkeys/new', kim);
    await plugIn(page, false);
    await page.route('**/passkeys/options', async (route) => {
      const response = await route.fetch();
      const options = await response.json();
      options.authenticatorSelection = { userVerification: 'discouraged', residentKey: 'discouraged' };
      await route.fulfill({ response, json: options });
    });
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByText('could not be made').first().waitFor();
    assert.deepEqual(
      await app.context.db.query('SELECT FROM passkey WHERE person_id = $1', [kim.personId]),
      [],
    );
    await close();
  });

  test('what a browser lacks is said: another address, no passkeys, no JavaScript', async () => {
    const { page, close } = await open('/console/sign-in', null);
    await page.goto(`${app.url}/console/sign-in`);
    await passkeyButton(page).click();
    await page.getByText(`Passkeys work at ${url} alone`).waitFor();
    await page.goto(`${url}/console/sign-in`);
    await page.evaluate('delete globalThis.PublicKeyCredential');
    await passkeyButton(page).click();
    await page.getByText('This browser has no passkeys').waitFor();
    await page.context().close();
    await close().catch(() => undefined);
    const plain = await open('/console/sign-in', null, scriptless);
    await passkeyButton(plain.page).click();
    await plain.page.getByText('The passkey needs JavaScript').waitFor();
    await plain.close();
  });

  test('axe finds nothing on the pages of second factors, and they stay within 60 KB', async () => {
    const kim = await someone();
    const { page, close } = await open('/console/me', kim);
    await plugIn(page);
    const found: string[] = [];
    /** Colours are the same but for a picture and states of a row. */
    const check = async (name: string, hasOwnColours = false) => {
      const look = async (how: string, rules?: readonly string[]) => {
        await picture(page, `factors-${name}-${how}`);
        await assertAccessible(page, rules).catch(({ message }: Error) =>
          found.push(`${name}, ${how}: ${message}`),
        );
      };
      await page.setViewportSize({ width: 320, height: 740 });
      await look('320');
      if (hasOwnColours) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.emulateMedia({ colorScheme: 'dark' });
        await look('dark', colourRules);
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
        await look('forced', colourRules);
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      }
      const bytes = await page.evaluate<number>(weight);
      assert.ok(bytes <= 60 * 1_024, `${name}: ${bytes} bytes of CSS and JavaScript`);
    };
    await app.context.db.query('UPDATE workshop SET second_factor_required = true WHERE id = $1', [
      workshopId,
    ]);
    await page.goto(`${url}${base}/today`);
    await check('set-up');
    await page.goto(`${url}/console/me/passkeys/new`);
    await check('new-passkey');
    await addPasskey(page);
    await check('recovery-codes');
    await page.goto(`${url}/console/me/totp`);
    await check('new-app', true);
    const seed = await page.locator('code.secret').textContent();
    await page.getByLabel('Code').fill(shownBy(app, seed ?? ''));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/said=totpSet/);
    await check('me', true);
    await signOut(page);
    await page.getByLabel('E-mail').fill(kim.email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').fill(await codeFor(app, kim.email));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/second$/);
    await check('second');
    await page.getByLabel('Authenticator code').fill('000 000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('is not right').first().waitFor();
    await check('second-wrong', true);
    await page.getByRole('link', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').waitFor();
    await check('recovery');
    assert.deepEqual(found, [], found.join('\n'));
    await app.context.db.query('UPDATE workshop SET second_factor_required = false WHERE id = $1', [
      workshopId,
    ]);
    await close();
  });
});
