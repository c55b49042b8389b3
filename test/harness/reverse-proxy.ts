/**
 * Reverse proxies with the samples of `deploy/`, on free loopback ports with the tests' certificate. `npm test` finds or installs nginx
 * and Caddy for the files that import this one: `test('…', { skip: whyNoProxy('nginx') }, …)`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, privateKey } from '../fixtures/certificate.ts';
import { atEnd } from './clean-up.ts';
import { freePorts, listens } from './ports.ts';
import { findProxy, type ProxyName, proxyPackages } from './proxy-programs.ts';
import { samples } from './proxy-samples.ts';
import { until, WaitEnded } from './wait.ts';

/** What `npm test` says of those that it provides. */
const said: Readonly<Partial<Record<ProxyName, string | undefined>>> = {
  nginx: process.env['PITLANE_TEST_NO_NGINX'],
  caddy: process.env['PITLANE_TEST_NO_CADDY'],
};

/** Why tests with it are skipped; false when they are not. */
export const whyNoProxy = (name: ProxyName): string | false =>
  findProxy(name) === null && (said[name] ?? `there is no ${name}: apt-get install ${proxyPackages[name]}`);

export interface ReverseProxy {
  /** `https://localhost:…` */
  readonly url: string;
  /** Where it listens without TLS, to send people on; null where it does not. */
  readonly plainUrl: string | null;
  /** What its access log holds; empty when it writes none. */
  accessLog(): string;
}

/** Checks its configuration as the program itself does, then runs it in front of `upstreamUrl`. Ended when the test file ends. */
export async function startReverseProxy(
  name: ProxyName,
  upstreamUrl: string,
  { compressesAll = false } = {},
): Promise<ReverseProxy> {
  const program = findProxy(name);
  if (program === null) throw new Error(`there is no ${name}`);
  const folder = mkdtempSync(join(tmpdir(), `pitlane-${name}-`));
  writeFileSync(join(folder, 'cert.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), privateKey, { mode: 0o600 });
  const [port = 0, plainPort = 0] = await freePorts(2);
  const places = { folder, upstream: new URL(upstreamUrl).host, port, plainPort, compressesAll };
  const { check, run } = samples[name](places);
  const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: folder } };
  const checked = spawnSync(program, check, { ...options, encoding: 'utf8' });
  if (checked.status !== 0) throw new Error(`${name} refuses the sample: ${checked.stderr}`);

  const child = spawn(program, run, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  atEnd(async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  });
  await until(
    () => `${name} listens: ${log}`,
    async () => {
      if (child.exitCode !== null) throw new WaitEnded(`${name} ended before it listened: ${log}`);
      return listens(port);
    },
  );
  const accessLog = join(folder, 'pitlane.log');
  const isPlain = name !== 'caddy' && name !== 'squid';
  return {
    url: `https://localhost:${port}`,
    plainUrl: isPlain ? `http://127.0.0.1:${plainPort}` : null,
    accessLog: () => {
      if (name === 'haproxy') return log;
      return existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : '';
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
