/** An open page follows what others change, and nobody who works on it is disturbed. */
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { noBrowser } from '../harness/browser.ts';
import { until } from '../harness/wait.ts';
import { assertAccessible } from './customer.ts';
import { assertStayed, count, counts, entry, type LiveOffice, placeOf, startLiveOffice } from './live.ts';

let live: LiveOffice;

before(async () => {
  if (!noBrowser) live = await startLiveOffice();
});
afterEach(() => live?.clear());

describe('an open page', { skip: noBrowser }, () => {
  test('shows what a partner booked, where a day has room for it, and keeps what is typed, unfolded, focused and scrolled to (specification: The console 16)', async () => {
    const cancelledOne = await live.book('GONE01', '2030-03-04T05:00:00Z');
    await live.become(cancelledOne, 'cancelled');
    const { page, close } = await live.open('today');
    const note = page.getByLabel('Note of the day');
    await note.fill('Tom away');
    await page.getByText('cancelled booking').click();
    await page.getByText('Close a bay').click();
    await page.getByLabel('Reason').fill('Lift is');
    await note.focus();
    await page.evaluate(`document.activeElement.setSelectionRange(2, 5)`);
    const before = await placeOf(page, '#text');
    await live.book('LIVE01', '2030-03-04T04:00:00Z');
    await entry(page, 'LIVE01').waitFor();
    assert.equal(await note.inputValue(), 'Tom away');
    assert.equal(await page.getByLabel('Reason').inputValue(), 'Lift is');
    assert.deepEqual(
      await page.evaluate(
        `[document.activeElement.id, document.activeElement.selectionStart, document.activeElement.selectionEnd, [...document.querySelectorAll('main details')].every(({ open }) => open)]`,
      ),
      ['text', 2, 5, true],
    );
    await assertStayed(page, '#text', before);
    assert.equal(await count(page), '1 change');
    // The place of each booking is a rule of the page, and it has those of the new one.
    const laid = await page.evaluate(
      `getComputedStyle([...document.querySelectorAll('.lanes .entry')].find(({ textContent }) => textContent.includes('LIVE01'))).gridRowStart`,
    );
    assert.notEqual(laid, 'auto');
    const colour = await page.evaluate(
      `getComputedStyle(document.documentElement).getPropertyValue('--fill')`,
    );
    assert.match(String(colour), /^#/, 'the colour of the workshop stays');
    await close();
  });

  test('nothing moves under pointer or focus: what can stay in its place does, the rest waits and is counted (specification: The console 16)', async () => {
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await live.book(`ROW00${n}`, `2030-03-05T0${n}:00:00Z`));
    const [, second, third] = ids;
    const { page, close } = await live.open(`bookings?state=pending`);
    const link = (id = '') => `main a[href$="${id}"]`;

    // Under the pointer: rows that come above it push it nowhere.
    await page.hover(link(third));
    const at = await placeOf(page, link(third));
    await live.book('ROW000', '2030-03-04T23:30:00Z');
    await page.getByText('ROW000').waitFor();
    await assertStayed(page, link(third), at);
    // What is gone stays until the pointer goes.
    await live.become(third ?? '', 'confirmed');
    await counts(page, '1 change waits');
    await assertStayed(page, link(third), at);
    await page.mouse.move(5, 5);
    await until('it is gone', async () => (await page.locator(link(third)).count()) === 0);
    await counts(page, '2 changes');

    // The focus: on the same booking after the update, in the same place.
    await page.focus(link(second));
    const focusedAt = await placeOf(page, link(second));
    await live.book('ROW009', '2030-03-04T22:30:00Z');
    await page.getByText('ROW009').waitFor();
    assert.equal(
      await page.evaluate(`document.activeElement.matches(${JSON.stringify(link(second))})`),
      true,
    );
    await assertStayed(page, link(second), focusedAt);
    await page.evaluate('document.activeElement.blur()');

    // A button that is pressed: nothing at all changes before it is let go.
    await page.locator('h1').hover();
    await page.mouse.down();
    await live.become(second ?? '', 'confirmed');
    await counts(page, '1 change waits');
    assert.equal(await page.locator(link(second)).count(), 1);
    await page.mouse.up();
    await until('it is gone', async () => (await page.locator(link(second)).count()) === 0);
    await assertAccessible(page);
    await close();
  });

  test('Pause updates: what waits is counted, the choice stays, and going on fetches once (specification: The console 16)', async () => {
    const { page, close } = await live.open('today');
    const pause = page.getByRole('switch', { name: 'Pause updates', exact: true });
    await pause.check();
    const before = live.streams.fetched();
    for (const rego of ['PAUSE1', 'PAUSE2']) await live.book(rego, '2030-03-04T03:30:00Z');
    await counts(page, '2 changes wait');
    assert.equal(live.streams.fetched(), before);
    assert.equal(await entry(page, 'PAUSE1').count(), 0);
    await pause.uncheck();
    await entry(page, 'PAUSE1').waitFor();
    assert.equal(live.streams.fetched(), before + 1);
    await counts(page, '2 changes');
    await pause.check();
    await page.goto(`${live.streams.url}${live.base}/week`);
    assert.equal(await pause.isChecked(), true);
    await close();
  });

  test('the open record: the region says what it is now; what was typed for it is kept, and forms about it stay', async () => {
    const id = await live.book('OPEN01', '2030-03-06T02:30:00Z');
    const { page, close } = await live.open(`bookings/${id}`);
    const beside = await page.context().newPage();
    await beside.goto(`${live.streams.url}${live.base}/bookings/${id}/move`);
    await beside.getByLabel('Time').first().fill('14:00');
    await page.getByLabel('Tell the customer').first().uncheck();
    const said = page.locator('#said');
    await live.become(id, 'confirmed');
    await page.getByText('✓ Confirmed').first().waitFor();
    assert.equal(await said.textContent(), 'Changed by somebody: now Confirmed');
    assert.equal(await page.getByRole('status').count(), 1);
    const kept = page.locator('form[action$="/confirm"]');
    await page.getByText('This can no longer be sent').waitFor();
    assert.equal(await kept.getByLabel('Tell the customer').isChecked(), false);
    await beside.getByText('Changed by somebody since you opened this').waitFor();
    assert.equal(await beside.getByLabel('Time').first().inputValue(), '14:00');
    // Sent all the same, it overwrites nothing.
    await kept.getByRole('button', { name: 'Confirm' }).click();
    await page
      .getByText(/Somebody changed this meanwhile|is confirmed/)
      .first()
      .waitFor();
    await close();
  });

  test('Undo and the status message stay while others change things, and Undo goes when its time is over', async () => {
    const phone = '0491570157';
    const id = await live.book('UNDO01', '2030-03-07T02:30:00Z', phone);
    const { page, close } = await live.open(`bookings/${id}`);
    await page.clock.install();
    await page.getByRole('button', { name: 'Confirm' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await live.settled();
    const before = live.streams.fetched();
    // Another of the same customer.
    await live.book('UNDO02', '2030-03-07T03:30:00Z', phone);
    await until('it asked', () => live.streams.fetched() > before);
    await live.settled();
    assert.equal(await undo.isVisible(), true);
    assert.equal(await page.locator('#said').textContent(), 'Confirmed.');
    await live.later();
    await page.mouse.move(5, 5);
    await page.clock.fastForward(10_000);
    await undo.waitFor({ state: 'detached' });
    assert.equal(await page.locator('#said').textContent(), 'Confirmed.', 'nobody else changed it');
    await close();
  });

  test('what is proposed by keys or dragging holds updates while somebody is at it, and after ten seconds stays proposed on the day as it is now (specification: The console 16)', async () => {
    const id = await live.book('MOVE01', '2030-03-11T23:00:00Z');
    const { page, close } = await live.open('today?date=2030-03-12');
    await page.clock.install();
    await entry(page, 'MOVE01').locator('a').first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    const said = /^Move MOVE01 from 10:00 am to 10:15 am\. Enter opens/;
    const proposed = async () => {
      assert.match((await page.locator('#said').textContent()) ?? '', said);
      assert.equal(await page.locator('.ghost').textContent(), '10:15 am');
      assert.equal(await page.getByRole('link', { name: 'Open the form' }).isVisible(), true);
    };
    await proposed();
    // One that moves nothing, and one with which the day begins earlier.
    await live.book('MOVE02', '2030-03-12T04:00:00Z');
    await live.settled();
    await live.book('MOVE03', '2030-03-11T18:00:00Z');
    await counts(page, '2 changes wait');
    await proposed();
    for (const rego of ['MOVE02', 'MOVE03']) assert.equal(await entry(page, rego).count(), 0);
    await page.clock.fastForward(10_000);
    await entry(page, 'MOVE03').waitFor();
    await proposed();
    // It is gone from the day.
    await live.become(id, 'cancelled');
    await page.clock.fastForward(10_000);
    await page.locator('.ghost').waitFor({ state: 'detached' });
    assert.equal(await page.locator('#said').textContent(), 'This booking is not on the page any more.');
    assert.equal(await page.locator('#proposal').isVisible(), false);
    await close();
  });

  test('what somebody else saves while it is typed elsewhere is said, and overwritten by nobody', async () => {
    const { page, close } = await live.open('today');
    const note = page.getByLabel('Note of the day');
    await note.fill('Mine');
    await live.note('Theirs');
    await page.getByRole('status').getByText('Changed by somebody while you type').waitFor();
    assert.equal(await note.inputValue(), 'Mine');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Somebody changed this meanwhile').waitFor();
    assert.equal(await note.inputValue(), 'Mine');
    // One in which nobody types is the newest.
    await page.goto(`${live.streams.url}${live.base}/today`);
    await until('it follows', () => live.streams.open() === 1);
    await live.note('Theirs again');
    await until('it is shown', async () => (await note.inputValue()) === 'Theirs again');
    await close();
  });
});
