/** A real Kannel on free loopback ports: bearerbox, smsbox, and Kannel's own fake SMS centre in place of the carrier. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KannelFacts, kannelConfiguration } from './kannel-config.ts';
import type { KannelPrograms } from './kannel-programs.ts';
import { freePorts, listens } from './ports.ts';
import { until } from './wait.ts';

/** The two processes of Kannel's: to the carrier, and to us. */
export type Box = 'bearerbox' | 'smsbox';

export interface Kannel {
  /** The settings of a Pitlane that sends through it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The SMS that the carrier received, oldest first, as the fake centre prints them: `<from to text …>`. */
  carried(): string[];
  /** How many requests smsbox has begun to respond to since the start. */
  requests(): number;
  /** How often smsbox has accepted this text, or an SMS to this phone, by its access log. */
  taken(what: { readonly text: string } | { readonly to: string }): number;
  /** The carrier delivers a customer's answer; the words after the numbers are fakesmsc's. */
  answer(from: string, to: string, text: string): Promise<void>;
  /** Suspends bearerbox: smsbox accepts requests, and responds to none. */
  freeze(): void;
  /** Kills one of them, or both: a bearerbox that is gone ends its smsbox soon. */
  kill(...boxes: Box[]): Promise<void>;
  /** The programs that do not run. */
  start(): Promise<void>;
  /** Kannel's own status: queues, connections. */
  status(): Promise<string>;
  /** Ends all programs, and removes their files. */
  remove(): Promise<void>;
}

export interface KannelOptions {
  /** The port of an SMS centre that speaks SMPP, in place of the fake one. */
  readonly smppPort?: number;
  /** Kannel logs each step, as `requests` needs it; otherwise as an installation's does, and prints errors only. */
  readonly logsAll?: boolean;
}

/** `callbackUrl` is where Pitlane listens. */
export async function runKannel(
  programs: KannelPrograms,
  callbackUrl: string,
  { smppPort, logsAll = true }: KannelOptions = {},
): Promise<Kannel> {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-kannel-'));
  for (const store of ['store', 'dlr']) mkdirSync(join(folder, store));
  const [admin = 0, boxes = 0, free = 0, sendsms = 0] = await freePorts(4);
  const ports = { admin, boxes, carrier: smppPort ?? free, sendsms };
  const facts: KannelFacts = {
    ...{ ports, folder, callbackUrl, password: 'a-password', token: 'token-of-the-callbacks' },
    ...{ carrier: smppPort === undefined ? 'fake' : 'smpp', deniedPrefix: '+614915709' },
    logLevel: logsAll ? 0 : 1,
  };
  const config = join(folder, 'kannel.conf');
  writeFileSync(config, kannelConfiguration(facts));

  const running = new Map<string, ChildProcess>();
  let output = '';
  function run(program: keyof KannelPrograms, args: readonly string[]): void {
    if (running.has(program)) return;
    const child = spawn(programs[program], args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    running.set(program, child);
    child.once('exit', () => running.delete(program));
    child.stdout.on('data', (chunk) => {
      if (program === 'fakesmsc') output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      if (program === 'fakesmsc') output += chunk;
    });
  }
  async function end(program: string): Promise<void> {
    const child = running.get(program);
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  const log = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  /** Runs it until the condition holds: one that ends before, because its port was taken just then, is started again. */
  async function runUntil(program: Box, holds: () => Promise<boolean>) {
    await until(`${program} is ready`, () => {
      run(program, logsAll ? [config] : ['-v', '3', config]);
      return holds();
    });
  }

  const status = async () => (await fetch(`http://127.0.0.1:${admin}/status.txt`)).text();
  const isOnline = async () => /carrier[\s\S]*\(online/.test(await status());

  /** The fake centre connects to bearerbox; `messages` are what customers write, sent one after the other. */
  async function startCentre(...messages: string[]): Promise<void> {
    await end('fakesmsc');
    const count = String(messages.length);
    // It wants to be given a message even when it is to send none.
    const texts = messages.length > 0 ? messages : ['0 0 text none'];
    run('fakesmsc', [
      ...['-H', '127.0.0.1', '-r', String(ports.carrier), '-i', '0.01', '-m', count],
      ...texts,
    ]);
    await until('the fake centre is connected', isOnline);
  }

  async function start(): Promise<void> {
    await runUntil(
      'bearerbox',
      async () => (await listens(boxes)) && (smppPort !== undefined || (await listens(ports.carrier))),
    );
    await runUntil('smsbox', () => listens(sendsms));
    if (smppPort !== undefined) await until('Kannel is connected to its carrier', isOnline);
    else if (!running.has('fakesmsc')) await startCentre();
  }
  async function remove(): Promise<void> {
    await Promise.all([...running.keys()].map(end));
    rmSync(folder, { recursive: true, force: true });
  }
  await start().catch(async (error) => {
    await remove();
    throw error;
  });

  return {
    settings: {
      PITLANE_SMS_GATEWAYS: 'kannel',
      PITLANE_PUBLIC_URL: callbackUrl,
      KANNEL_URL: `http://127.0.0.1:${sendsms}/cgi-bin/sendsms`,
      KANNEL_USERNAME: 'pitlane',
      KANNEL_PASSWORD: facts.password,
      KANNEL_CALLBACK_TOKEN: facts.token,
    },
    carried: () =>
      [...output.matchAll(/Got message \d+: (<[\s\S]*?>)\n/g)].map(([, message = '']) => message),
    requests: () => log('smsbox.log').split('/cgi-bin/sendsms> from').length - 1,
    taken: (what) =>
      log('access.log').split('text' in what ? `request: '${what.text}'` : ` target:${what.to} `).length - 1,
    answer: (from, to, text) => startCentre(`${from} ${to} ${text}`),
    freeze: () => void running.get('bearerbox')?.kill('SIGSTOP'),
    async kill(...chosen) {
      const killed: Box[] = chosen.length > 0 ? chosen : ['bearerbox', 'smsbox'];
      await Promise.all(killed.map(end));
      if (!killed.includes('bearerbox')) return;
      await until('the centre misses bearerbox', () => !running.has('fakesmsc'));
      // Ten seconds after it has closed its port smsbox starts another process, which would have no parent.
      await until('smsbox misses bearerbox', async () => !(await listens(sendsms)));
      await end('smsbox');
    },
    start,
    status,
    remove,
  };
}
