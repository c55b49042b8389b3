/** Runs a TypeScript file with a Node that can: in this process when it is new enough, else in a child. */
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findNode, isNewEnough, lacksLibrary, libraryAdvice, whyNotOwnNode } from './find-node.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Compiled sources are kept here: a start is quicker and smaller. A folder that can't be written is done without. */
const compileCache = join(root, 'node_modules', '.cache', 'pitlane');

/**
 * V8's young generation grows to twice this size in MiB, by itself to 32, and is seldom given back. With half of it a server needs 25 MiB less and
 * 3 % more of Node's CPU under load. It counts at the start of a process only, so `npm start` names it as well.
 */
const memoryFlag = '--max-semi-space-size=8';
/** glibc gives each thread an arena of its own, and keeps in it what has been freed. With one for all a server needs 15 MiB less under load, and creates bookings as fast. `npm start` names it too. */
const arenas = '1';

/** Prints one line and ends the process. */
function refuse(message) {
  process.stderr.write(`pitlane: ${message}\n`);
  process.exit(1);
}

function dependenciesAreInstalled() {
  try {
    createRequire(import.meta.url).resolve('fastify');
    return true;
  } catch {
    return false;
  }
}

/** Runs `script` (absolute, or relative to the current folder) with `args`; the process ends as the script ends. */
export async function launch(script, args) {
  const path = resolve(script);
  if (!dependenciesAreInstalled()) {
    refuse(
      `its dependencies are not installed: run "npm ci --ignore-scripts" in ${root}, or "npm start" there`,
    );
  }
  if (isNewEnough()) {
    module.enableCompileCache(compileCache);
    process.argv.splice(1, process.argv.length - 1, path, ...args);
    await import(pathToFileURL(path).href);
    return;
  }
  try {
    spawnAndFollow(findNode(), [memoryFlag, path, ...args]);
  } catch (error) {
    refuse(error.message);
  }
}

/** Passes signals on, never ends before the child, and ends as it did. The channel tells the child if this process is killed. */
function spawnAndFollow(node, argv) {
  const { NODE_COMPILE_CACHE = compileCache, MALLOC_ARENA_MAX = arenas } = process.env;
  const env = { ...process.env, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX };
  const child = spawn(node, argv, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // Ctrl-C reaches every process of the terminal's group, so it arrives twice: the child takes both for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(whyNotOwnNode() ?? `can't run ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (code === lacksLibrary) refuse(libraryAdvice);
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}
