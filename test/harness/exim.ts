/**
 * A real mail server on a free loopback port: Exim, with STARTTLS and a sign-in, which stores accepted e-mails in a folder. `npm
 * test` finds or installs it for the files that import this one: `test('…', { skip: noExim }, …)`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, privateKey } from '../fixtures/certificate.ts';
import { atEnd } from './clean-up.ts';
import { findExim } from './exim-program.ts';
import { freePorts, listens } from './ports.ts';
import { until } from './wait.ts';

const program = findExim();

/** Why tests with Exim are skipped; false when they are not. */
export const noExim: string | false =
  program === null
    ? (process.env['PITLANE_TEST_NO_EXIM'] ?? 'there is no Exim: apt-get install exim4-daemon-light')
    : false;

/** Exim does not deliver to an account of root, so under root it runs as `nobody`. */
const nobody = { uid: 65534, gid: 65534 };
const account =
  process.getuid?.() === 0 ? nobody : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

export const eximUser = { user: 'pitlane@motors.example', password: 'pass: w%rd' };

export interface Exim {
  readonly port: number;
  /** The delivered e-mails, byte for byte as Exim stored them, with the trace headers that it added. */
  delivered(): Buffer[];
  /** Resolves when it has delivered e-mails with that many Message-IDs. */
  deliveredAtLeast(count: number): Promise<void>;
  /** How many e-mails it has not delivered yet. */
  queued(): number;
  /** Ends it and its sessions at once. */
  kill(): Promise<void>;
  /** After `kill`, on the same port with the same spool. */
  start(): Promise<void>;
}

export interface EximOptions {
  /** E-mails to that domain are piped into the command, whose words are its arguments, with these settings as its environment. */
  readonly pipe?: {
    readonly domain: string;
    readonly command: readonly string[];
    readonly settings: Readonly<Record<string, string>>;
  };
}

/** Recipients `nobody@…` are refused for good, `later@…` for now; `gone@…` are accepted, and come back. Ended when the test file ends. */
export async function startExim({ pipe }: EximOptions = {}): Promise<Exim> {
  if (program === null) throw new Error('there is no Exim');
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-exim-'));
  for (const name of ['spool', 'mail']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'exim.conf'), configuration(folder, port, pipe), { mode: 0o644 });
  writeFileSync(join(folder, 'cert.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), privateKey, { mode: 0o600 });
  for (const name of ['', 'spool', 'mail', 'cert.pem', 'key.pem'])
    chownSync(join(folder, name), account.uid, account.gid);
  chmodSync(folder, 0o700);

  const exim = program;
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    await kill();
    const args = ['-C', join(folder, 'exim.conf'), '-bdf', '-q1s'];
    // A group of its own: each session is a process.
    child = spawn(exim, args, { ...account, cwd: folder, detached: true, stdio: 'ignore' });
    await until('Exim listens', () => listens(port));
  }
  async function kill(): Promise<void> {
    const running = child;
    child = undefined;
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    process.kill(-running.pid, 'SIGKILL');
    await exited;
  }
  // What it is about to rename begins with `temp`.
  const delivered = () =>
    readdirSync(join(folder, 'mail'))
      .filter((name) => name.startsWith('q'))
      .map((name) => readFileSync(join(folder, 'mail', name)));
  const distinct = () => new Set(delivered().map(messageIdOf)).size;
  atEnd(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  // It is in a group of its own, which no Ctrl-C reaches.
  process.once('exit', () => void kill());
  await start();
  return {
    port,
    delivered,
    deliveredAtLeast: (count) => until(`${count} e-mails delivered`, () => distinct() >= count),
    queued: () => readdirSync(join(folder, 'spool', 'input')).filter((name) => name.endsWith('-H')).length,
    kill,
    start,
  };
}

/** `x@motors.example` of `Message-ID: <x@motors.example>`. */
export function messageIdOf(mail: Buffer): string {
  return /^Message-ID: <(.*)>/im.exec(String(mail))?.[1] ?? '';
}

function configuration(folder: string, port: number, pipe: EximOptions['pipe']): string {
  const { uid, gid } = account;
  const user = `user = ${uid}\n  group = ${gid}`;
  return `
primary_hostname = mail.motors.example
exim_user = ${uid}
exim_group = ${gid}
spool_directory = ${folder}/spool
log_file_path = ${folder}/spool/%slog
pid_file_path = ${folder}/spool/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_rcpt = rcpt
host_lookup =
rfc1413_hosts =
keep_environment =
smtp_accept_queue_per_connection = 0

begin acl
rcpt:
  deny !authenticated = *
    message = sign in first
  defer local_parts = later
    message = try again later
  deny local_parts = nobody
    message = there is no such person
  accept

begin routers
${
  pipe === undefined
    ? ''
    : `replies:
  driver = accept
  domains = ${pipe.domain}
  local_parts = ^(reply|bounce)\\\\+[0-9a-f]{56}\\$
  transport = pitlane
`
}gone:
  driver = redirect
  local_parts = gone
  allow_fail
  data = :fail: 550 5.1.1 no such person here
all:
  driver = accept
  transport = folder

begin transports
folder:
  driver = appendfile
  directory = ${folder}/mail
  user = ${uid}
  group = ${gid}
  envelope_to_add

${
  pipe === undefined
    ? ''
    : `pitlane:
  driver = pipe
  command = ${pipe.command.join(' ')}
  environment = <; ${Object.entries(pipe.settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')}
  message_prefix =
  message_suffix =
  temp_errors = 75
  return_fail_output
  ${user}
`
}
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and {{eq{$auth2}{${eximUser.user}}}{eq{$auth3}{${eximUser.password}}}}}
  server_set_id = $auth2
`;
}
