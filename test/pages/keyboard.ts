/** Pages without a mouse. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Presses Tab until the focus is on what has this text; whoever has no mouse gets no further than that. */
export async function tabTo(page: Page, text: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      `(({ activeElement: at }) => [at.textContent, at.getAttribute('aria-label'), at.labels?.[0]?.textContent].join(' ').trim())(document)`,
    );
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (text.test(await focused())) return;
  }
  assert.fail(`the keyboard does not reach ${text}`);
}

/** Goes there, and presses Enter. */
export async function press(page: Page, text: RegExp): Promise<void> {
  await tabTo(page, text);
  await page.keyboard.press('Enter');
}
