/**
 * nginx and Caddy with the samples of `deploy/`, on free loopback ports with the tests' certificate. `npm test` finds or installs them
 * for the files that import this one: `test('…', { skip: noProxy.nginx }, …)`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, privateKey } from '../fixtures/certificate.ts';
import { atEnd } from './clean-up.ts';
import { sampleWith } from './deploy-sample.ts';
import { freePorts, listens } from './ports.ts';
import { findProxy, type ProxyName } from './proxy-programs.ts';
import { until, WaitEnded } from './wait.ts';

const why = (name: ProxyName, packageName: string, reason: string | undefined): string | false =>
  findProxy(name) === null && (reason ?? `there is no ${name}: apt-get install ${packageName}`);

/** Why tests with it are skipped; false when they are not. */
export const noProxy: Readonly<Record<ProxyName, string | false>> = {
  nginx: why('nginx', 'nginx-light', process.env['PITLANE_TEST_NO_NGINX']),
  caddy: why('caddy', 'caddy', process.env['PITLANE_TEST_NO_CADDY']),
};

/** Whether this machine has the loopback address `::1`. */
export const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

export interface ReverseProxy {
  /** `https://localhost:…` */
  readonly url: string;
  /** Where it listens without TLS, to send people on; null where it does not. */
  readonly plainUrl: string | null;
  /** What its access log holds; empty when it writes none. */
  accessLog(): string;
}

interface Places {
  readonly folder: string;
  /** `127.0.0.1:…` of Pitlane. */
  readonly upstream: string;
  readonly port: number;
  readonly plainPort: number;
}

const proxies: Readonly<Record<ProxyName, (places: Places) => { check: string[]; run: string[] }>> = {
  nginx({ folder, upstream, port, plainPort }) {
    const site = sampleWith('nginx.conf', [
      ['127.0.0.1:3000', upstream],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['listen [::]:80;', hasIpv6 ? `listen [::1]:${plainPort};` : ''],
      ['listen [::]:443 ssl http2;', hasIpv6 ? `listen [::1]:${port} ssl http2;` : ''],
      ['/etc/letsencrypt/live/pitlane.example.com/fullchain.pem', `${folder}/cert.pem`],
      ['/etc/letsencrypt/live/pitlane.example.com/privkey.pem', `${folder}/key.pem`],
      ['/var/log/nginx/', `${folder}/`],
    ]);
    writeFileSync(join(folder, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join('\n');
    const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {\n${temporary}\ninclude ${folder}/site.conf;\n}\n`;
    writeFileSync(join(folder, 'main.conf'), main);
    const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'main.conf')];
    return { check: ['-t', ...args], run: args };
  },
  caddy({ folder, upstream, port }) {
    const site = sampleWith('Caddyfile', [
      ['127.0.0.1:3000', upstream],
      ['{\n\tservers {', '{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {'],
      ['read_body 30s', 'read_body 2s'],
      [
        'pitlane.example.com {',
        `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`,
      ],
    ]);
    const config = join(folder, 'Caddyfile');
    writeFileSync(config, site);
    const args = ['--config', config, '--adapter', 'caddyfile'];
    return { check: ['validate', ...args], run: ['run', ...args] };
  },
};

/** Checks its configuration as the program itself does, then runs it in front of `upstreamUrl`. Ended when the test file ends. */
export async function startReverseProxy(name: ProxyName, upstreamUrl: string): Promise<ReverseProxy> {
  const program = findProxy(name);
  if (program === null) throw new Error(`there is no ${name}`);
  const folder = mkdtempSync(join(tmpdir(), `pitlane-${name}-`));
  writeFileSync(join(folder, 'cert.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), privateKey, { mode: 0o600 });
  const [port = 0, plainPort = 0] = await freePorts(2);
  const places = { folder, upstream: new URL(upstreamUrl).host, port, plainPort };
  const { check, run } = proxies[name](places);
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
  return {
    url: `https://localhost:${port}`,
    plainUrl: name === 'nginx' ? `http://127.0.0.1:${plainPort}` : null,
    accessLog: () => (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : ''),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
