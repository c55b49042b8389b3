/** The embedded PostgreSQL of a data folder: a server starts it, a command borrows it. */
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedPoolAtMost } from '#base/config/process.ts';
import { makeFolder } from '#base/private-file.ts';
import { startCluster } from './cluster.ts';
import { EmbeddedError, explain, fullDisk, saysFullDisk } from './errors.ts';
import { isCluster } from './initdb.ts';
import { type Owner, type Ownership, type Purpose, readOwner, tryToTakeOwnership } from './owner.ts';
import { firstError, tailOf } from './program-error.ts';
import { isReachable, provision } from './provision.ts';

export interface EmbeddedOptions {
  /** Absolute path; made when absent. */
  readonly dataDir: string;
  /** Gets a line of progress every few seconds while a long start runs. */
  readonly notice?: (line: string) => void;
}

export interface Embedded {
  /** Where the application connects, as the role `pitlane`. */
  readonly url: string;
  /** True when another process runs this PostgreSQL. */
  readonly attached: boolean;
  /** Resolves when this process's PostgreSQL has ended for any reason; never for an attached one. */
  readonly ended: Promise<void>;
  /** Stops what this process started and releases the folder; does nothing for an attached one. */
  stop(): Promise<void>;
}

/** How long to wait for an owner that ends soon: a command, or a server that is stopping. */
const waitAtMostMs = 15_000;
const pollMs = 50;
/** A server's, of which three are kept for superusers; what is left is for commands beside it. */
const connections = embeddedPoolAtMost + 20;
/**
 * The lock is held, but the file may still describe the owner before, which was killed. The file is believed once it has been the
 * same for this long. The process id proves nothing: containers give a dead process's id out again.
 */
const certainAfterMs = 500;

/** Starts the PostgreSQL of the data folder for a server. Throws EmbeddedError, also when another server runs there. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  let told = '';
  let certain = AbortSignal.timeout(certainAfterMs);
  return open(options, 'server', async (owner) => {
    const tells = JSON.stringify(owner);
    if (tells !== told) certain = AbortSignal.timeout(certainAfterMs);
    told = tells;
    const stays = owner?.purpose === 'server' && !owner.stopping;
    if (stays && certain.aborted) throw occupied(options.dataDir, owner, 'server');
    return null;
  });
}

interface BorrowOptions extends EmbeddedOptions {
  /**
   * Makes the database when there is none. Only servers and `migrate` do: a mistyped folder must not become a second installation.
   */
  readonly create?: boolean;
}

/**
 * For a command: attaches to the running server's PostgreSQL, or starts it until `stop`. Throws EmbeddedError, also where the folder
 * holds no database and none is to be made.
 */
export async function borrowEmbedded(options: BorrowOptions): Promise<Embedded> {
  const { dataDir, create = false } = options;
  const isFolder = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() ?? true;
  if (!create && isFolder && !isCluster(join(dataDir, 'postgres'))) throw absent(dataDir);
  return open(options, 'command', async (owner) => {
    // A command stops its PostgreSQL when it ends, so only that of a server is shared.
    if (owner?.purpose !== 'server' || owner.url === null || !(await isReachable(owner.url))) return null;
    return {
      url: owner.url,
      attached: true,
      ended: new Promise(() => undefined),
      stop: async () => undefined,
    };
  });
}

/** Locks the folder and starts; while another process owns it, calls `meet` until it gives a result or the waiting time ends. */
async function open(
  { dataDir, notice }: EmbeddedOptions,
  purpose: Purpose,
  meet: (owner: Owner | null) => Promise<Embedded | null>,
): Promise<Embedded> {
  try {
    prepareFolder(dataDir);
    const deadline = AbortSignal.timeout(waitAtMostMs);
    for (;;) {
      const ownership = tryToTakeOwnership(dataDir, purpose);
      if (ownership !== null) return await startOwned(dataDir, ownership, notice);
      const owner = readOwner(dataDir);
      const met = await meet(owner);
      if (met !== null) return met;
      if (deadline.aborted) throw occupied(dataDir, owner, purpose);
      await sleep(pollMs);
    }
  } catch (error) {
    throw explain(error, dataDir);
  }
}

function prepareFolder(dataDir: string): void {
  // Open to others as the user's umask says, since root's PostgreSQL runs as another; what is secret has modes of its own.
  makeFolder(dataDir);
  if (!statSync(dataDir).isDirectory()) throw new EmbeddedError(`the data folder ${dataDir} is not a folder`);
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function startOwned(
  dataDir: string,
  ownership: Ownership,
  notice: EmbeddedOptions['notice'],
): Promise<Embedded> {
  try {
    const settings = { max_connections: String(connections) };
    const cluster = await startCluster({
      dir: join(dataDir, 'postgres'),
      settings,
      ...(notice && { notice }),
    });
    try {
      const url = await provision(cluster);
      ownership.announce({ url, stopping: false });
      const stop = async () => {
        try {
          ownership.announce({ url: null, stopping: true });
        } finally {
          await cluster.stop();
          ownership.release();
        }
      };
      let stopping: Promise<void> | undefined;
      return {
        url,
        attached: false,
        ended: cluster.ended,
        stop: () => {
          stopping ??= stop();
          return stopping;
        },
      };
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  } catch (error) {
    ownership.release();
    throw error;
  }
}

function occupied(dataDir: string, owner: Owner | null, purpose: Purpose): EmbeddedError {
  const who =
    owner === null ? 'another process' : `another Pitlane (process ${owner.pid}, a ${owner.purpose})`;
  const starts = owner?.purpose === 'server' && owner.url === null && !owner.stopping;
  // A second server would not get in later either.
  if (starts && purpose === 'command') {
    return new EmbeddedError(
      `${who} is starting PostgreSQL in the data folder ${dataDir}, which takes long after a crash: try again when it is ready`,
    );
  }
  return new EmbeddedError(
    `${who} uses the data folder ${dataDir}: stop it, or choose another folder with PITLANE_DATA_DIR`,
  );
}

function absent(dataDir: string): EmbeddedError {
  return new EmbeddedError(
    `there is no database in the data folder ${dataDir}: set PITLANE_DATA_DIR to that of your installation, or DATABASE_URL; a new installation begins with "npm start" or "pitlane migrate"`,
  );
}

/** The error of a server whose PostgreSQL has ended by itself: with the reason, where its log has one. */
export function endedEarly(dataDir: string): EmbeddedError {
  const log = join(dataDir, 'postgres.log');
  const panic =
    readable(log)
      .split('\n')
      .findLast((line) => line.includes('PANIC:')) ?? '';
  if (saysFullDisk(panic)) return fullDisk(dataDir);
  const reason = panic === '' ? '' : `: ${firstError(panic)}`;
  return new EmbeddedError(`the embedded PostgreSQL has ended${reason} (its log: ${log})`);
}

/** Returns the end of a log; an empty text when it can't be read. */
function readable(path: string): string {
  try {
    return tailOf(path);
  } catch {
    return '';
  }
}
