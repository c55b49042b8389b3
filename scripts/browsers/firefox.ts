/** Firefox over WebDriver BiDi, by puppeteer-core, which comes from npm's registry into a folder that is gone afterwards. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../test/run.ts';
import type { Driver } from './tab.ts';

const puppeteer = 'puppeteer-core@25.16.0';

/** What is used of puppeteer-core. */
interface Handle {
  isVisible(): Promise<boolean>;
  click(options?: { readonly count: number }): Promise<void>;
  type(text: string): Promise<void>;
  press(key: string): Promise<void>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  $$(selector: string): Promise<Handle[]>;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
}
interface Launched {
  version(): Promise<string>;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Puppeteer {
  launch(options: object): Promise<Launched>;
}

export async function firefox(): Promise<Driver<Handle>> {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-puppeteer-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', puppeteer];
  const { code, output } = await run('npm', args, { cwd: folder });
  if (code !== 0) throw new Error(`${puppeteer} was not installed: ${output}`);
  const entry = createRequire(join(folder, 'package.json')).resolve('puppeteer-core');
  const { default: library } = (await import(pathToFileURL(entry).href)) as { default: Puppeteer };
  const browser = await library.launch({
    ...{ browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true },
    env: { ...process.env, HOME: folder },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  return {
    name: 'Firefox ESR',
    version: (await browser.version()).replace(/^\D+/, ''),
    open: async (url) => void (await page.goto(url)),
    value: (expression) => page.evaluate(expression),
    async seen(xpath) {
      const found = await page.$$(`::-p-xpath(${xpath})`);
      const visible = await Promise.all(found.map((each) => each.isVisible()));
      return found.filter((_, n) => visible[n]);
    },
    click: (element) => element.click(),
    async type(element, text) {
      await element.click({ count: 3 });
      await element.press('Backspace');
      await element.type(text);
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
