/**
 * Sees to it that the dependencies are those of package-lock.json; says nothing when they are. `node bin/setup.mjs` installs what
 * running needs, with `--include=dev` also what tests and tools need. Runs on Node 18.
 */
import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isNewEnough, libraryAdvice, nodePackage, ownNode, whyNotOwnNode } from './find-node.mjs';
import { differs } from './installed.mjs';
import { root } from './launch.mjs';
import { provideLibrary } from './libraries.mjs';
import { acquireLock } from './setup-lock.mjs';

const say = (text) => process.stderr.write(`${text}\n`);

/** npm as the npm that runs this script, else the one on the path. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm'];
}

/** npm's cache is in the home of the user. A service's user often has none, so the project's folder has it then. */
function cacheOption() {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return [];
  } catch {
    return [`--cache=${join(root, '.npm-cache')}`];
  }
}

/**
 * Runs a command in `cwd`; resolves to null, or to its first line about what went wrong. It inherits the lock: it may outlive this process.
 * Rejects when a signal ended it.
 */
function run([file, ...args], lock, cwd = root) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe', lock] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => resolve(`can't run ${file} (${error.message})`));
    child.on('close', (code, signal) => {
      if (signal !== null) return reject(new Error(`interrupted by ${signal}`));
      if (code === 0) return resolve(null);
      const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
      const telling = lines.filter((line) => line !== '' && !/^(code|errno|syscall|path) /.test(line));
      resolve(telling[0] ?? `${file} ended with ${code}`);
    });
  });
}

/**
 * Runs npm, and resolves as `run` does. What only lacks the development dependencies gets them while a server may be running from it;
 * `npm ci` removes everything first.
 */
function install({ dev, adds }, lock) {
  return run(
    [
      ...npmCommand(),
      ...(adds ? ['install', '--no-save'] : ['ci']),
      ...['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional'],
      dev ? '--include=dev' : '--omit=dev',
      ...cacheOption(),
    ],
    lock,
  );
}

async function setUp(withDev) {
  const isInstalled = differs(root, withDev) === null;
  const lacking = isInstalled ? whyNotOwnNode() : null;
  if (isInstalled && lacking === null) return;
  const lock = await acquireLock(root, () =>
    say('Another start is installing the dependencies: waiting for it …'),
  ).catch((error) => {
    // Where this user can't write, what is missing is more telling.
    throw lacking === null ? error : new Error(lacking);
  });
  try {
    const difference = differs(root, withDev);
    if (difference !== null) {
      say(`Installing the dependencies (${difference.why}) …`);
      const failure = await install(difference, lock);
      if (failure !== null) throw new Error(`the dependencies can't be installed: ${failure}`);
    }
    await seeToOwnNode(lock);
    if (difference !== null) say('The dependencies are installed.');
  } finally {
    closeSync(lock);
  }
}

/** Throws an Error with one line when it is needed and can't run; one that is not needed and can't is taken out of the way of npm's scripts. */
async function seeToOwnNode(lock) {
  let why = whyNotOwnNode();
  if (why === null) return;
  if (isNewEnough()) return rmSync(ownNode);
  if (why === libraryAdvice) {
    say('Its own Node needs a library that this system lacks (libatomic1): getting it …');
    await provideLibrary({
      modules: join(root, 'node_modules'),
      name: nodePackage,
      run: (command, cwd) => run(command, lock, cwd),
      isThere: () => whyNotOwnNode() === null,
    });
    why = whyNotOwnNode();
  }
  if (why !== null) throw new Error(why);
}

try {
  await setUp(process.argv.includes('--include=dev'));
} catch (error) {
  say(`pitlane: ${error.message}`);
  process.exitCode = 1;
}
