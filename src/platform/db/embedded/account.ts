/** The user that PostgreSQL's programs run as. They refuse root, and initdb refuses a user who has no name. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedError } from './errors.ts';

export interface Account {
  /** Put before the program and its arguments. */
  readonly prefix: readonly string[];
  /** For spawn; empty when the programs run as this process's user. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

export interface AccountQuestion {
  readonly dir: string;
  /** False when `dir` is absent or empty. */
  readonly isCluster: boolean;
  readonly binaries: Binaries;
}

const ownAccount: Account = { prefix: [], ids: {} };
/** The user who owns the files, inside a user namespace, where that user is called `nobody` and has no rights of root. */
const namespaceAccount: Account = { prefix: ['unshare', '--user', '--map-user=65534', '--'], ids: {} };

/** Chooses the account for the cluster folder `dir`. Throws EmbeddedError when none will do. */
export function chooseAccount(question: AccountQuestion): Account {
  const uid = process.getuid?.();
  return uid === 0 ? insteadOfRoot(question) : forUser(question, uid);
}

function forUser({ dir, binaries }: AccountQuestion, uid: number | undefined): Account {
  const owner = existsSync(dir) ? statSync(dir).uid : uid;
  if (owner !== uid) {
    throw new EmbeddedError(
      `${dir} belongs to another user (uid ${owner}): start Pitlane as that user, or choose another folder with PITLANE_DATA_DIR`,
    );
  }
  return hasName() || !canWork(namespaceAccount, dirname(dir), binaries) ? ownAccount : namespaceAccount;
}

/** Existing files decide; for new ones: the user of the data folder, else `nobody`, else the namespace. */
function insteadOfRoot({ dir, isCluster, binaries }: AccountQuestion): Account {
  const folder = isCluster ? dir : dirname(dir);
  const { uid, gid } = statSync(folder);
  const candidates: Account[] = [];
  if (uid !== 0) candidates.push({ prefix: [], ids: { uid, gid } });
  else if (!isCluster) candidates.push(...nobody());
  if (uid === 0 || !isCluster) candidates.push(namespaceAccount);
  const found = candidates.find((account) => canWork(account, folder, binaries));
  if (found !== undefined) return found;
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and no other user can enter both ${folder} and ${binaries.binDir}: start Pitlane as a user who owns them, or set DATABASE_URL`,
  );
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function nobody(): Account[] {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout?.trim(),
  );
  const ids = { uid: Number(uid), gid: Number(gid) };
  // On macOS it is -2, which spawn and chown want in different forms: there, root has to choose a user.
  const isUsable = Object.values(ids).every((id) => id > 0 && id < 2 ** 31);
  return isUsable ? [{ prefix: [], ids }] : [];
}

/** Tries it: permissions, access lists and containers' limits are too many to reason about. */
function canWork(account: Account, folder: string, binaries: Binaries): boolean {
  const script = 'cd -- "$1" && id -un && exec "$2" --version';
  const command = ['sh', '-c', script, 'sh', folder, join(binaries.binDir, 'postgres')];
  const [file = '', ...args] = [...account.prefix, ...command];
  const { ids } = account;
  return spawnSync(file, args, { ...ids, cwd: '/', env: binaries.env, stdio: 'ignore' }).status === 0;
}
