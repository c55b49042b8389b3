/** One installation at a time: a folder that names the process which installs. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 200;
/** A folder without a name in it for so long was left by a process killed between making the one and writing the other. */
const namelessPolls = 10;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Waits until no other process installs here; returns the function that lets the next one. */
export async function acquireLock(root, onWait) {
  const folder = join(root, '.setup-lock');
  const file = join(folder, 'pid');
  for (let waits = 0, nameless = 0; ; waits++) {
    try {
      mkdirSync(folder);
      writeFileSync(file, String(process.pid));
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw new Error(`can't write in ${root}: ${error.message}`);
    }
    const holder = readHolder(file);
    nameless = holder === null ? nameless + 1 : 0;
    if (nameless > namelessPolls || (holder !== null && !isAlive(holder))) {
      rmSync(folder, { recursive: true, force: true });
      continue;
    }
    if (waits === 0) onWait();
    await sleep(pollMs);
  }
}

function readHolder(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
