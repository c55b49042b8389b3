/** Another commit of this repository in a folder of its own, with its dependencies. */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from '../beside.ts';

/** Of this build. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const git = (...args: readonly string[]) =>
  execFileSync('git', [...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** The whole hash of what the name stands for; null when it stands for no commit. */
export function commitOf(ref: string): string | null {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  } catch {
    return null;
  }
}

/** True when all of `older` is in `newer`, which may be a name that is no longer known: then it is not. */
export function contains(newer: string, older: string): boolean {
  try {
    git('merge-base', '--is-ancestor', older, newer);
    return true;
  } catch {
    return false;
  }
}

/** Where the work tree stands; with a `+` when something in it is not committed. */
export function presentCommit(): string {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '+' : ''}`;
}

/** Puts the commit into `folder`, which must not exist. This work tree stays as it is, and so does what Git records of it. */
export function checkOut(commit: string, folder: string): void {
  git('clone', '--quiet', '--shared', '--no-checkout', root, folder);
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder, stdio: 'pipe' });
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  say('Its dependencies are others than ours …');
  execFileSync(process.execPath, [join(folder, 'bin', 'setup.mjs')], { cwd: folder, stdio: 'inherit' });
}
