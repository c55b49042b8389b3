/**
 * `npm run browsers`: Firefox ESR and WebKitGTK, Debian's, walk the desk's day and the booking page of the demo once, by their own input.
 * `npm test` has Chromium alone.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firefox } from './browsers/firefox.ts';
import { type Tab, tabOf } from './browsers/tab.ts';
import { walk } from './browsers/walk.ts';
import { webkit } from './browsers/webkit.ts';
import { withDemoServer } from './demo-server.ts';
import { installPackages } from './test/apt.ts';
import { run } from './test/run.ts';

interface Wanted {
  readonly programs: readonly string[];
  readonly packages: readonly string[];
  open(): Promise<Tab>;
}

const browsers: Readonly<Record<string, Wanted>> = {
  firefox: {
    ...{ programs: ['/usr/bin/firefox-esr'], packages: ['firefox-esr'] },
    open: async () => tabOf(await firefox()),
  },
  webkit: {
    ...{ programs: ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'], packages: ['webkit2gtk-driver', 'xvfb'] },
    open: async () => tabOf(await webkit()),
  },
};
const usage = `npm run browsers                    both
npm run browsers -- NAME …          those alone: ${Object.keys(browsers).join(', ')}

What is not there comes from Debian's archive, where root runs it; puppeteer-core from npm's registry, into a temporary folder.
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function tried(name: string, { programs, packages, open }: Wanted): Promise<boolean> {
  if (!programs.every((each) => existsSync(each))) {
    const missing = await installPackages(run, name, packages);
    if (missing !== null) {
      say(`✖ ${name}: ${missing}`);
      return false;
    }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-browsers-'));
  const startedAt = performance.now();
  try {
    await withDemoServer(dataDir, async (server) => {
      const tab = await open();
      try {
        await walk(tab, server);
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        say(`✔ ${tab.name} ${tab.version}: the desk's day, and the booking page (${seconds} s)`);
      } catch (error) {
        const place = await tab.value('location.href + "\\n" + document.body.innerText').catch(String);
        throw new Error(`${tab.name} ${tab.version}: ${(error as Error).message}\n${place}`);
      } finally {
        await tab.close().catch(() => undefined);
      }
    });
    return true;
  } catch (error) {
    say(`✖ ${(error as Error).message}`);
    return false;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const names = process.argv.slice(2);
  const chosen = names.length === 0 ? Object.keys(browsers) : names;
  let failed = 0;
  for (const name of chosen) {
    const wanted = Object.hasOwn(browsers, name) ? browsers[name] : undefined;
    if (wanted === undefined) {
      process.stderr.write(usage);
      return 2;
    }
    if (!(await tried(name, wanted))) failed++;
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
