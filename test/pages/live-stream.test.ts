/** How an open page hears of changes: one stream a browser, what follows a break, and what it does without one. */
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { noBrowser } from '../harness/browser.ts';
import { until } from '../harness/wait.ts';
import { count, counts, entry, type LiveOffice, startLiveOffice } from './live.ts';
import { says } from './office.ts';

let live: LiveOffice;

before(async () => {
  if (!noBrowser) live = await startLiveOffice();
});
afterEach(() => live?.clear());

describe('an open page hears of changes', { skip: noBrowser }, () => {
  test('of many changes at once there are few fetches, and what concerns another page leads to none (specification: The console 15)', async () => {
    const { page, close } = await live.open(`bookings?state=pending`);
    const before = live.streams.fetched();
    live.streams.tell({ kind: 'booking', id: 'first' });
    // On a busy machine all forty could come before it asks at all.
    await until('it asked at once', () => live.streams.fetched() > before);
    for (let n = 1; n < 40; n++) live.streams.tell({ kind: 'booking', id: `${n}` });
    await until('it asked once more', () => live.streams.fetched() >= before + 2);
    await page.waitForTimeout(900);
    const asked = live.streams.fetched() - before;
    assert.equal(asked, 2, 'at once, and once more');
    live.streams.tell({ kind: 'quote', id: 'q' }, { kind: 'reminder', id: 'r' });
    live.streams.tell({ kind: 'all' });
    await until('it asked', () => live.streams.fetched() > before + 2);
    assert.equal(live.streams.fetched(), before + 3);
    await counts(page, '');
    await close();
  });

  test('one that does not hear of changes asks: once after a break, every 15 seconds while the stream is refused, and says when there is no connection (specification: The console 15)', async () => {
    const { page, close } = await live.open('today');
    await page.clock.install();
    // What a stream begins with is all that a younger page may miss.
    await page.clock.fastForward(6_000);
    let before = live.streams.fetched();
    live.streams.cut();
    await until('it asked', () => live.streams.open() === 1 && live.streams.fetched() > before);
    await live.settled();
    assert.equal(live.streams.fetched(), before + 1, 'once after a break');

    // A proxy whose process begins again: the browser gives up, and the page does not.
    const asked = live.streams.asked();
    live.streams.refuse(503);
    await until('it was refused', () => live.streams.asked() > asked);
    live.streams.refuse(null);
    await until('it has its stream again', () => live.streams.open() === 1);
    await live.settled();

    live.streams.refuse(429);
    await page.reload();
    await page.waitForTimeout(1_000);
    for (let times = 0; times < 2; times++) {
      before = live.streams.fetched();
      await page.clock.fastForward(15_000);
      await until('it polls', () => live.streams.fetched() > before);
      await page.waitForTimeout(300);
    }
    before = live.streams.fetched();
    await page.clock.fastForward(9_000);
    await page.waitForTimeout(200);
    assert.equal(live.streams.fetched(), before);
    await page.context().setOffline(true);
    await page.clock.fastForward(7_000);
    await counts(page, 'No connection');
    await page.context().setOffline(false);
    await counts(page, '');
    await close().catch(({ message }: Error) => assert.match(message, /ERR_INTERNET_DISCONNECTED/));
  });

  test('two pages of a browser have one stream; without a shared worker each that is seen has one, and asks when it is shown (specification: The console 15)', async () => {
    const { page, close } = await live.open('today');
    const second = await page.context().newPage();
    await second.goto(`${live.streams.url}${live.base}/week`);
    await live.settled();
    assert.equal(live.streams.open(), 1);
    await live.book('TABS01', '2030-03-04T06:00:00Z');
    await entry(page, 'TABS01').waitFor();
    await until('the week has it', async () => (await count(second)) === '1 change');
    await second.close();

    await page.addInitScript('delete globalThis.SharedWorker');
    await page.reload();
    await until('one of its own', () => live.streams.open() === 1);
    const turn = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await turn(true);
    await until('none while it is hidden', () => live.streams.open() === 0);
    await live.book('TABS02', '2030-03-04T06:30:00Z');
    await turn(false);
    await entry(page, 'TABS02').waitFor();
    assert.equal(live.streams.open(), 1);
    await close();
    await until('none is left', () => live.streams.open() === 0);
  });

  test('who is signed out reads so, with a way back, and keeps what is typed', async () => {
    const { page, close } = await live.open('today');
    const note = page.getByLabel('Note of the day');
    await note.fill('Half a note');
    await page.context().clearCookies();
    await live.book('OUT001', '2030-03-04T06:30:00Z');
    const link = page.getByRole('status').getByRole('link', { name: 'Sign in again' });
    await link.waitFor();
    assert.match((await link.getAttribute('href')) ?? '', /sign-in\?next=%2Fconsole%2Fw%2F.*today/);
    assert.equal(await note.inputValue(), 'Half a note');
    assert.ok((await page.locator('.lanes .entry').count()) > 5);
    await close();
  });

  test("what changes while a page is on its way is on it, although its stream is another page's (specification: The console 15)", async () => {
    const { page, close } = await live.open('week');
    const second = await page.context().newPage();
    await second.route('**/today', async (route) => {
      const made = await route.fetch();
      await live.book('WAY001', '2030-03-04T06:30:00Z');
      // The stream has reported it.
      await live.settled();
      await route.fulfill({ response: made });
      await second.unroute('**/today');
    });
    await second.goto(`${live.streams.url}${live.base}/today`);
    await entry(second, 'WAY001').waitFor();
    assert.equal(live.streams.open(), 1);
    await close();
  });

  test('a page of one person never becomes that of another (specification: The console 16)', async () => {
    const { page, close } = await live.open('today');
    await live.signInAnother(page);
    await live.book('OTHER1', '2030-03-04T06:30:00Z');
    await page.getByRole('status').getByText('Somebody else has signed in').waitFor();
    await page.getByLabel('Note of the day').waitFor();
    await close();
  });

  test('two people and a partner see what each of them changes, and what one of them types meanwhile stays', async () => {
    const { page: ours, close } = await live.open('today');
    const { page: theirs, close: closeTheirs } = await live.openAs('adviser', 'today');
    const note = ours.getByLabel('Note of the day');
    await note.fill('Tom away');
    const id = await live.book('SHARE1', '2030-03-04T05:30:00Z');
    for (const page of [ours, theirs]) await entry(page, 'SHARE1').waitFor();
    await note.pressSequentially(' all');

    await entry(theirs, 'SHARE1').locator('a').first().click();
    await theirs.getByRole('button', { name: 'Confirm', exact: true }).click();
    await says(theirs, 'Confirmed.');
    await ours.locator('.entry.confirmed', { hasText: 'SHARE1' }).waitFor();
    assert.equal((await live.seenByPartner(id)).status, 'confirmed');
    await note.pressSequentially(' day');

    await live.become(id, 'cancelled');
    await entry(ours, 'SHARE1').waitFor({ state: 'detached' });
    await theirs.getByText('Changed by somebody: now Cancelled').waitFor();
    await theirs.goto(`${live.streams.url}${live.base}/today`);
    assert.equal(await note.inputValue(), 'Tom away all day');
    assert.equal(await ours.evaluate('document.activeElement.id'), 'text');
    await ours.getByRole('button', { name: 'Save note' }).click();
    const shown = theirs.getByLabel('Note of the day');
    await until('they see the note', async () => (await shown.inputValue()) === 'Tom away all day');
    await close();
    await closeTheirs();
  });

  test('what is changed at one process is on a page of another', async () => {
    const id = await live.book('FAR001', '2030-03-20T01:00:00Z');
    const { page: here, close } = await live.open('bookings?state=pending');
    const { page: there, close: closeThere } = await live.openAs(
      'owner',
      `bookings/${id}`,
      await live.further(),
    );
    await there.getByRole('button', { name: 'Confirm', exact: true }).click();
    // A page that opens later would show the cancellation, and say nothing of it.
    await says(there, 'Confirmed.');
    await here.getByText('FAR001').waitFor({ state: 'detached' });
    await live.become(id, 'cancelled');
    await there.getByText('Changed by somebody: now Cancelled').waitFor();
    await close();
    await closeThere();
  });

  test('a sign-out in another tab is said by a page that nobody changes', async () => {
    const { page, close } = await live.openAs('viewer', 'week');
    await until('it follows', () => live.streams.open() === 1);
    const beside = await page.context().newPage();
    await beside.goto(`${live.streams.url}/console/me`);
    await beside.locator('.person summary').click();
    await beside.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('status').getByText('You are signed out').waitFor();
    await close();
  });
});
