/**
 * One installation at a time: a lock of the operating system's on a file. It goes with the processes that hold it, however they end, so
 * nothing is left to judge, and no process id to mistake for another: in containers a dead one's is given out again.
 */
import { spawn } from 'node:child_process';
import { constants, open, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Of open(2) on macOS and the BSDs: it takes the lock, and waits for it. Node has no name for it. */
const O_EXLOCK = 0x20;
const opensLocked = ['darwin', 'freebsd'].includes(process.platform);

/**
 * Programs that lock the file which they inherit as descriptor 3; the lock belongs to the open file, so it stays with this process
 * when they have ended. Which ends with 1 when another has it. Of util-linux or BusyBox; else Perl's.
 */
const lockers = [
  { file: 'flock', now: ['-n', '3'], wait: ['3'] },
  { file: 'perl', now: ['-e', perl('6')], wait: ['-e', perl('2')] },
];

/** 2: exclusive, 4: without waiting; 11: EWOULDBLOCK. */
function perl(mode) {
  return `open(my $f, '+<&=', 3) or exit 2; exit(flock($f, ${mode}) ? 0 : $! == 11 ? 1 : 2)`;
}

/**
 * Waits until no other process installs here, and returns a descriptor that holds the lock until it is closed here and in every process
 * that has inherited it. Throws an Error with one line when the file can't be made. Where nothing can lock, it is not locked.
 */
export async function acquireLock(root, onWait) {
  const path = join(root, '.setup.lock');
  const flags = constants.O_RDWR | constants.O_CREAT;
  try {
    return opensLocked
      ? await openLocked(path, flags | O_EXLOCK, onWait)
      : await lockWith(openSync(path, flags), onWait);
  } catch (error) {
    throw new Error(`can't lock ${path}: ${error.message}`);
  }
}

async function openLocked(path, flags, onWait) {
  try {
    return openSync(path, flags | constants.O_NONBLOCK);
  } catch (error) {
    if (error.code !== 'EAGAIN' && error.code !== 'EWOULDBLOCK') throw error;
  }
  onWait();
  // Not on this thread, which signals have to reach.
  return promisify(open)(path, flags);
}

async function lockWith(fd, onWait) {
  for (const { file, now, wait } of lockers) {
    const code = await end(file, now, fd);
    if (code === 0) return fd;
    if (code !== 1) continue;
    onWait();
    if ((await end(file, wait, fd)) === 0) return fd;
  }
  return fd;
}

/** Its exit code; null when it can't be run. */
function end(file, args, fd) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', fd] });
    child.on('error', () => resolve(null));
    child.on('exit', resolve);
  });
}
