/**
 * Sees to it that the dependencies are those of package-lock.json; says nothing when they are. `node bin/setup.mjs` installs what
 * running needs, with `--include=dev` also what tests and tools need. Runs on Node 18.
 */
import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tryNode } from './find-node.mjs';
import { differs } from './installed.mjs';
import { root } from './launch.mjs';
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
 * Runs npm; resolves to null, or to npm's first line about what went wrong. What only lacks the development dependencies gets them
 * while a server may be running from it; `npm ci` removes everything first. npm inherits the lock: it may outlive this process.
 */
function install({ dev, adds }, lock) {
  const [file, ...first] = npmCommand();
  const args = [
    ...first,
    ...(adds ? ['install', '--no-save'] : ['ci']),
    ...['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional'],
    dev ? '--include=dev' : '--omit=dev',
    ...cacheOption(),
  ];
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe', lock] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => resolve(`can't run npm (${error.message})`));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(null);
      const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
      const telling = lines.filter((line) => line !== '' && !/^(code|errno|syscall|path) /.test(line));
      resolve(signal === null ? (telling[0] ?? `npm ended with ${code}`) : `interrupted by ${signal}`);
    });
  });
}

async function setUp(withDev) {
  if (differs(root, withDev) === null) return;
  const lock = await acquireLock(root, () =>
    say('Another start is installing the dependencies: waiting for it …'),
  );
  try {
    const difference = differs(root, withDev);
    if (difference === null) return;
    say(`Installing the dependencies (${difference.why}) …`);
    const failure = await install(difference, lock);
    if (failure !== null) throw new Error(`the dependencies can't be installed: ${failure}`);
    tryNode();
    say('The dependencies are installed.');
  } finally {
    closeSync(lock);
  }
}

try {
  await setUp(process.argv.includes('--include=dev'));
} catch (error) {
  say(`pitlane: ${error.message}`);
  process.exitCode = 1;
}
