/** One running PostgreSQL in a folder, for this machine alone, that ends with this process. */
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unwatchFile,
  watchFile,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount } from './account.ts';
import { type Address, loopbackAddress, removeStaleSockets, socketAddress } from './address.ts';
import { binariesIn, embeddedBinaries } from './binaries.ts';
import { EmbeddedError, fullDisk, saysFullDisk } from './errors.ts';
import { createCluster, isCluster, passwordFile, superuser } from './initdb.ts';
import { readPostmasterFile, stopBy, stopLeftover } from './leftover.ts';
import { startProgram } from './program.ts';
import { firstError } from './program-error.ts';
import { becomesReady, hasEnded } from './readiness.ts';

export interface ClusterOptions {
  /** Folder of the cluster; made when absent, its parent must exist. The log is beside it, as `<dir>.log`. */
  readonly dir: string;
  /** Folder of `postgres` and `initdb`; by default the embedded ones. */
  readonly binDir?: string;
  /** Settings of PostgreSQL, such as `{ fsync: 'off' }` for a throw-away cluster. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets a line of progress every few seconds while a long recovery runs. */
  readonly notice?: (line: string) => void;
}

export interface Cluster {
  readonly superuserUrl: string;
  readonly superuserPassword: string;
  /** Where a role of it connects. */
  url(role: string, password: string, database: string): string;
  readonly pid: number;
  /** Resolves when this PostgreSQL has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Ends it in order, within 25 s at most; a second call waits for the first. */
  stop(): Promise<void>;
}

const attemptsAtMost = 20;
/** Failures of a start that pass: a port that was taken meanwhile, backends of a killed server that are still ending. */
const passing = /could not (?:bind|create any)|Address already in use|shared memory block/;
/** Some file systems, shared folders of virtual machines among them, hold no sockets. */
const noSocket = /Unix(?:-domain)? (?:address|socket)/i;

const fixedSettings = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Failed statements are the application's to log: here they would show customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/**
 * Starts PostgreSQL in `dir`, making the cluster the first time and stopping a left-over one. The caller sees to it that no
 * other process does the same. Throws EmbeddedError.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  // The real path is what a left-over process is recognised by.
  const parent = realpathSync(dirname(options.dir));
  const dir = join(parent, basename(options.dir));
  const binaries =
    options.binDir === undefined
      ? embeddedBinaries(join(parent, 'postgres-lib'))
      : binariesIn(options.binDir);
  const exists = isCluster(dir);
  const account = chooseAccount({ dir, isCluster: exists, binaries });
  if (exists) {
    checkVersion(dir, binaries.major);
    await stopLeftover(dir);
  } else {
    await createCluster({ dir, binaries, account, durable: options.settings?.['fsync'] !== 'off' });
  }
  const log = `${dir}.log`;
  if (existsSync(log)) renameSync(log, `${log}.old`);
  let socket = socketAddress(dir);
  for (let attempt = 1; ; attempt++) {
    removeStaleSockets(dir);
    const address = socket ?? (await loopbackAddress());
    const settings = Object.entries({ ...fixedSettings, ...options.settings, ...address.settings });
    const args = ['-D', dir, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const output = openSync(log, 'w', 0o600);
    const stdio = ['ignore' as const, output, output];
    const child = startProgram({ name: 'postgres', args, binaries, account, deathSignal: 'INT', stdio });
    closeSync(output);
    const state = await becomesReady(child, { dir, log, ...(options.notice && { notice: options.notice }) });
    if (state === 'ready') return running(child, dir, address);
    if (state === 'silent') {
      throw new EmbeddedError(
        `PostgreSQL in ${dir} was starting without a sign of progress and was stopped: see its log, ${log}; nothing is lost, start again`,
      );
    }
    const said = readFileSync(log, 'utf8');
    if (noSocket.test(said)) socket = null;
    if (saysFullDisk(said)) throw fullDisk(parent);
    if (attempt >= attemptsAtMost || !passing.test(said)) {
      throw new EmbeddedError(`PostgreSQL does not start in ${dir}: ${firstError(said)} (its log: ${log})`);
    }
    await sleep(attempt * 25);
  }
}

function checkVersion(dir: string, major: number | null): void {
  const found = readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim();
  if (major === null || found === String(major)) return;
  throw new EmbeddedError(
    `${dir} was made by PostgreSQL ${found}, and this is PostgreSQL ${major}: dump it with version ${found} and load it into a new folder, or choose another PITLANE_DATA_DIR`,
  );
}

function running(child: ChildProcess, dir: string, address: Address): Cluster {
  const superuserPassword = readFileSync(join(dir, passwordFile), 'utf8').trim();
  // Where the kernel sends no death signal, this covers every end of the process but a kill -9.
  const endWithProcess = () => child.kill('SIGINT');
  process.once('exit', endWithProcess);
  // A plain kill by somebody else makes it refuse new connections and wait for ours to close, which never happens.
  const stateFile = join(dir, 'postmaster.pid');
  const endAtOnce = () => {
    if (readPostmasterFile(dir)?.stopping) child.kill('SIGINT');
  };
  watchFile(stateFile, { persistent: false, interval: 500 }, endAtOnce);
  const ended = new Promise<void>((resolve) => {
    const settle = () => {
      process.removeListener('exit', endWithProcess);
      unwatchFile(stateFile, endAtOnce);
      resolve();
    };
    if (hasEnded(child)) settle();
    else child.once('exit', settle);
  });
  // A forgotten stop must not keep a finished command waiting.
  child.unref();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    child.ref();
    await stopBy(
      (signal) => child.kill(signal),
      () => hasEnded(child),
    );
    await ended;
  };
  return {
    superuserUrl: address.url(superuser, superuserPassword, 'postgres'),
    superuserPassword,
    url: address.url,
    pid: child.pid ?? 0,
    ended,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
