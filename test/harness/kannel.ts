/**
 * A real Kannel on free loopback ports: bearerbox, smsbox, and Kannel's own fake SMS centre in place of the carrier.
 * `npm test` finds or installs it for the files that import this one: `test('…', { skip: noKannel }, …)`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from './clean-up.ts';
import { findKannel } from './kannel-programs.ts';

const programs = findKannel();

/** Why tests with Kannel are skipped; false when they are not. */
export const noKannel: string | false =
  programs === null
    ? (process.env['PITLANE_TEST_NO_KANNEL'] ?? 'there is no Kannel: apt-get install kannel kannel-extras')
    : false;

export interface Kannel {
  /** The settings of a Pitlane that sends through it. */
  readonly settings: Readonly<Record<string, string>>;
  /** What the carrier was handed, oldest first, in the fake centre's own words: `<from to text …>`. */
  carried(): string[];
  /** How many requests smsbox has begun to answer since the start. */
  requests(): number;
  /** How often smsbox has taken a text over for sending, by its access log. */
  taken(text: string): number;
  /** A customer's answer comes from the carrier. */
  answer(from: string, to: string, text: string): Promise<void>;
  /** Stops bearerbox in its tracks: smsbox takes requests, and answers none. */
  freeze(): void;
  kill(): Promise<void>;
  /** After `kill`. */
  start(): Promise<void>;
}

/** Ports that nothing listens on; they are held until all are found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Resolves as soon as the condition holds; fails after 20 seconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(20_000);
  while (!(await holds())) {
    if (deadline.aborted) throw new Error(`waited in vain: ${what}`);
    await pause(20);
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}

/** `callbackUrl` is where Pitlane listens. Ended when the test file ends. */
export async function startKannel(callbackUrl: string): Promise<Kannel> {
  if (programs === null) throw new Error('there is no Kannel');
  const { bearerbox, smsbox, fakesmsc } = programs;
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-kannel-'));
  const [admin = 0, boxes = 0, carrier = 0, sendsms = 0] = await freePorts(4);
  const token = 'token-of-the-callbacks';
  const config = join(folder, 'kannel.conf');
  writeFileSync(config, configuration({ admin, boxes, carrier, sendsms }, folder, callbackUrl, token));

  const children = new Set<ChildProcess>();
  let centre: ChildProcess | undefined;
  let output = '';
  function run(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    for (const stream of [child.stdout, child.stderr]) stream?.resume();
    return child;
  }
  async function end(child: ChildProcess | undefined): Promise<void> {
    if (child === undefined || !children.has(child)) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  const log = (name: string) => readFileSync(join(folder, name), 'utf8');
  const isOnline = async () =>
    /fake[\s\S]*\(online/.test(await (await fetch(`http://127.0.0.1:${admin}/status.txt`)).text());

  /** The fake centre connects to bearerbox; `messages` are what customers write, sent one after the other. */
  async function startCentre(...messages: string[]): Promise<void> {
    await end(centre);
    const port = String(carrier);
    const count = String(messages.length);
    // It wants to be given a message even when it is to send none.
    const texts = messages.length > 0 ? messages : ['0 0 text none'];
    centre = run(fakesmsc, ['-H', '127.0.0.1', '-r', port, '-i', '0.01', '-m', count, ...texts]);
    for (const stream of [centre.stdout, centre.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    await until('the fake centre is connected', isOnline);
  }

  let boxesRunning: ChildProcess[] = [];
  async function start(): Promise<void> {
    const bearer = run(bearerbox, [config]);
    await until('bearerbox listens', async () => (await listens(boxes)) && (await listens(carrier)));
    const sms = run(smsbox, [config]);
    boxesRunning = [bearer, sms];
    await until('smsbox listens', () => listens(sendsms));
    await startCentre();
  }
  async function kill(): Promise<void> {
    await Promise.all(boxesRunning.map(end));
    await end(centre);
  }
  atEnd(async () => {
    await Promise.all([...children].map(end));
    rmSync(folder, { recursive: true, force: true });
  });
  await start();

  return {
    settings: {
      PITLANE_SMS_GATEWAYS: 'kannel',
      PITLANE_PUBLIC_URL: callbackUrl,
      KANNEL_URL: `http://127.0.0.1:${sendsms}/cgi-bin/sendsms`,
      KANNEL_USERNAME: 'pitlane',
      KANNEL_PASSWORD: 'a-password',
      KANNEL_CALLBACK_TOKEN: token,
    },
    carried: () =>
      [...output.matchAll(/Got message \d+: (<[\s\S]*?>)\n/g)].map(([, message = '']) => message),
    requests: () => log('smsbox.log').split('/cgi-bin/sendsms> from').length - 1,
    taken: (text) => log('access.log').split(`request: '${text}'`).length - 1,
    answer: (from, to, text) => startCentre(`${from} ${to} text ${text}`),
    freeze: () => void boxesRunning[0]?.kill('SIGSTOP'),
    kill,
    start,
  };
}

interface Ports {
  readonly admin: number;
  readonly boxes: number;
  readonly carrier: number;
  readonly sendsms: number;
}

/** As docs/gateways.md says, with ports, a fake carrier and a store that outlives a kill. */
function configuration(ports: Ports, folder: string, callbackUrl: string, token: string): string {
  return `
group = core
admin-port = ${ports.admin}
admin-interface = 127.0.0.1
admin-password = unused
smsbox-port = ${ports.boxes}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
store-type = spool
store-location = ${folder}

group = smsc
smsc = fake
smsc-id = fake
port = ${ports.carrier}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.sendsms}
sendsms-interface = 127.0.0.1
log-file = ${folder}/smsbox.log
log-level = 0
access-log = ${folder}/access.log
http-request-retry = 10
http-queue-delay = 1

group = sendsms-user
username = pitlane
password = a-password
default-sender = 61400000000
concatenation = true
max-messages = 10

group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "${callbackUrl}/gateways/kannel/inbound?token=${token}&id=%I&from=%p&to=%P&charset=%C&text=%b"
`;
}
