/** The samples of `deploy/` for each reverse proxy, with a test's own places in them, and how the program takes them. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { certificate, privateKey } from '../fixtures/certificate.ts';
import { sampleWith } from './deploy-sample.ts';
import type { ProxyName } from './proxy-programs.ts';

/** Whether this machine has the loopback address `::1`. */
export const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

export interface Places {
  /** Its own, with cert.pem and key.pem. */
  readonly folder: string;
  /** `127.0.0.1:…` of Pitlane. */
  readonly upstream: string;
  readonly port: number;
  readonly plainPort: number;
  /** Compresses all that it can, JSON too, and not what the sample compresses: as proxies are set up elsewhere. */
  readonly compressesAll: boolean;
}

/** The arguments that check a configuration, and those that run it in the foreground. */
interface Arguments {
  readonly check: readonly string[];
  readonly run: readonly string[];
}

const letsEncrypt = '/etc/letsencrypt/live/pitlane.example.com/';
const certificateIn = (folder: string) =>
  [
    [`${letsEncrypt}fullchain.pem`, `${folder}/cert.pem`],
    [`${letsEncrypt}privkey.pem`, `${folder}/key.pem`],
  ] as const;

const replaced = (isWanted: boolean, ...pairs: readonly (readonly [string, string])[]) =>
  isWanted ? pairs : [];

export const samples: Readonly<Record<ProxyName, (places: Places) => Arguments>> = {
  nginx({ folder, upstream, port, plainPort, compressesAll }) {
    const site = sampleWith('nginx.conf', [
      ...replaced(compressesAll, [
        'add_header Strict',
        'gzip on; gzip_types application/json; gzip_min_length 1; add_header Strict',
      ]),
      ['127.0.0.1:3000', upstream],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['listen [::]:80;', hasIpv6 ? `listen [::1]:${plainPort};` : ''],
      ['listen [::]:443 ssl http2;', hasIpv6 ? `listen [::1]:${port} ssl http2;` : ''],
      ...certificateIn(folder),
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
  caddy({ folder, upstream, port, compressesAll }) {
    const site = sampleWith('Caddyfile', [
      ...replaced(compressesAll, ['encode @pages gzip', 'encode {\ngzip\nminimum_length 1\n}']),
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
  apache2({ folder, upstream, port, plainPort, compressesAll }) {
    const site = sampleWith('apache.conf', [
      ...replaced(
        compressesAll,
        ['<LocationMatch "^/(book/[^/]+$|pages/)">', '<LocationMatch "^/">'],
        ['text/html text/css', 'application/json text/html text/css'],
      ),
      ['http://127.0.0.1:3000', `http://${upstream}`],
      ['*:80>', `127.0.0.1:${plainPort}>`],
      ['*:443>', `127.0.0.1:${port}>`],
      ['ServerName pitlane.example.com', 'ServerName localhost'],
      ...certificateIn(folder),
      ['/var/log/apache2/', `${folder}/`],
    ]);
    const modules = '/usr/lib/apache2/modules';
    const wanted = [
      ...['mpm_event', 'alias', 'authz_core', 'deflate', 'filter', 'headers', 'http2', 'mime', 'reqtimeout'],
      ...['proxy', 'proxy_http', 'proxy_balancer', 'lbmethod_byrequests', 'slotmem_shm', 'ssl'],
    ];
    const there = new Set(readdirSync(modules));
    const loads = wanted
      .filter((name) => there.has(`mod_${name}.so`))
      .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`);
    const main = `ServerRoot ${folder}\nServerName localhost\nPidFile ${folder}/pid\nDefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log\nListen 127.0.0.1:${port}\nListen 127.0.0.1:${plainPort}\nUser www-data\nGroup www-data
${loads.join('\n')}\nTypesConfig /dev/null\n${site}`;
    writeFileSync(join(folder, 'main.conf'), main);
    const args = ['-f', join(folder, 'main.conf')];
    return { check: ['-t', ...args], run: ['-X', ...args] };
  },
  haproxy({ folder, upstream, port, plainPort, compressesAll }) {
    writeFileSync(join(folder, 'both.pem'), `${certificate}${privateKey}`, { mode: 0o600 });
    const config = join(folder, 'haproxy.cfg');
    const site = sampleWith('haproxy.cfg', [
      ...replaced(
        compressesAll,
        ['default_backend api', 'default_backend pages'],
        ['type text/html', 'type application/json text/html'],
      ),
      ['127.0.0.1:3000', upstream],
      ['bind :80', `bind 127.0.0.1:${plainPort}`],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/pitlane.pem', `${folder}/both.pem`],
      ['log /dev/log local0', 'log stderr format raw local0'],
    ]);
    writeFileSync(config, site);
    return { check: ['-c', '-f', config], run: ['-db', '-f', config] };
  },
  squid({ folder, upstream, port }) {
    // Its processes give root up.
    chmodSync(folder, 0o777);
    chmodSync(join(folder, 'key.pem'), 0o644);
    const [host = '', upstreamPort = ''] = upstream.split(':');
    const config = join(folder, 'squid.conf');
    const site = sampleWith('squid.conf', [
      ['127.0.0.1 parent 3000', `${host} parent ${upstreamPort}`],
      ['https_port 443', `https_port 127.0.0.1:${port}`],
      ['pitlane.example.com\n', 'localhost\n'],
      ['defaultsite=pitlane.example.com', 'defaultsite=localhost'],
      ...certificateIn(folder),
      ['/var/log/squid/', `${folder}/`],
    ]);
    const own = `pid_filename ${folder}/pid\ncache_log stdio:/dev/stderr\ncoredump_dir ${folder}\nvisible_hostname localhost\npinger_enable off\n`;
    writeFileSync(config, `${own}${site}`);
    return { check: ['-k', 'parse', '-f', config], run: ['-N', '-f', config, '-n', `pitlane${port}`] };
  },
};
