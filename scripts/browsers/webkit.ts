/** WebKitGTK by its own driver (W3C WebDriver), on a screen of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { freePorts, listens } from '../../test/harness/ports.ts';
import { until } from '../../test/harness/wait.ts';
import type { Driver } from './tab.ts';

/** The key of an element's reference in the protocol. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

export async function webkit(): Promise<Driver<string>> {
  const [port = 0] = await freePorts(1);
  const screen = await startScreen();
  const driver = spawn('WebKitWebDriver', ['-p', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.display },
  });
  const end = async () => {
    driver.kill();
    screen.process.kill();
  };
  try {
    await until('WebKitWebDriver listens', () => listens(port));
    const root = `http://127.0.0.1:${port}/session`;
    const made = await asked('POST', root, { capabilities: { alwaysMatch: {} } });
    const { sessionId, capabilities } = made as {
      sessionId: string;
      capabilities: { browserVersion: string };
    };
    const call = (method: string, path: string, body?: object) =>
      asked(method, `${root}/${sessionId}${path}`, body);
    await call('POST', '/window/rect', { width: 1280, height: 900 });
    return {
      name: 'WebKitGTK',
      version: capabilities.browserVersion,
      open: async (url) => void (await call('POST', '/url', { url })),
      value: (expression) => call('POST', '/execute/sync', { script: `return ${expression}`, args: [] }),
      async seen(xpath) {
        const found = await call('POST', '/elements', { using: 'xpath', value: xpath });
        const seen: string[] = [];
        for (const each of found as Record<string, string>[]) {
          const id = each[elementKey] ?? '';
          if (await call('GET', `/element/${id}/displayed`)) seen.push(id);
        }
        return seen;
      },
      click: async (id) => void (await call('POST', `/element/${id}/click`, {})),
      async type(id, text) {
        await call('POST', `/element/${id}/clear`, {});
        await call('POST', `/element/${id}/value`, { text });
      },
      async close() {
        await call('DELETE', '');
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function asked(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: { message?: string } | null };
  if (!answer.ok) throw new Error(`${method} ${url}: ${value?.message ?? answer.status}`);
  return value;
}

/** Xvfb on a free number. */
async function startScreen(): Promise<{ readonly display: string; readonly process: ChildProcess }> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1000x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  screen.stdout.on('data', (part) => {
    said += part;
  });
  await until('Xvfb has a screen', () => said.endsWith('\n'));
  return { display: `:${said.trim()}`, process: screen };
}
