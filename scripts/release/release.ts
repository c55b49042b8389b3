/** A release: the version in every file that has it, the dated section of the changelog, a commit and a tag. Pushes nothing. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepFailed } from '../test/checks.ts';
import { releaseSection } from './changelog.ts';

export interface ReleaseOptions {
  /** The clone's folder. */
  readonly root: string;
  /** `patch`, `minor`, `major`, or a version. */
  readonly bump: string;
  /** Of the section, such as `2026-11-22`. */
  readonly date: string;
  /** Makes the files again that have the version because they mirror the code. */
  makeMirrors(): void;
}

/** Returns the version. Throws StepFailed, with every file as it was, when there is nothing to release or something in the way. */
export function release({ root, bump, date, makeMirrors }: ReleaseOptions): string {
  const git = (...args: string[]) => runIn(root, 'git', args);
  if (!/^(?:patch|minor|major|\d+\.\d+\.\d+)$/.test(bump))
    throw new StepFailed(`${bump} is neither patch, minor nor major, nor a version such as 1.2.3`);
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new StepFailed(`commit these first, or take them back:\n${changed}`);
  try {
    const version = writeVersion(root, bump);
    if (git('tag', '--list', `v${version}`) !== '')
      throw new StepFailed(`there is a tag v${version} already`);
    const changelog = join(root, 'CHANGELOG.md');
    writeFileSync(changelog, releaseSection(readFileSync(changelog, 'utf8'), version, date));
    makeMirrors();
    git('commit', '--quiet', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `Pitlane ${version}`);
    return version;
  } catch (error) {
    git('restore', '--staged', '--worktree', '.');
    throw error;
  }
}

/**
 * In package.json and package-lock.json, and in the client, which follows the API document. The version that is there already may be
 * released, as the first is.
 */
function writeVersion(root: string, bump: string): string {
  const options = ['--no-git-tag-version', '--allow-same-version', '--ignore-scripts'];
  const version = runIn(root, 'npm', ['version', bump, ...options]).replace(/^v/, '');
  const client = join(root, 'clients', 'typescript', 'package.json');
  const manifest = JSON.parse(readFileSync(client, 'utf8'));
  writeFileSync(client, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  return version;
}

/** What it prints; throws StepFailed with what it says when it fails. */
function runIn(cwd: string, command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new StepFailed(`${command} ${args[0]} failed: ${(stderr ?? '').trim() || message}`);
  }
}
