/** Sees to it that the dependencies are those of package-lock.json; says nothing when they are. Runs on Node 20. */
import { spawn } from 'node:child_process';
import { findNode } from './find-node.mjs';
import { differs } from './installed.mjs';
import { root } from './launch.mjs';
import { acquireLock } from './setup-lock.mjs';

const say = (text) => process.stderr.write(`${text}\n`);

/** npm as the npm that runs this script, else the one on the path. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm'];
}

/** Runs `npm ci`; resolves to null, or to npm's first line about what went wrong. */
function install() {
  const [file, ...first] = npmCommand();
  const args = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
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

async function setUp() {
  if (differs(root) === null) return;
  const release = await acquireLock(root, () =>
    say('Another start is installing the dependencies: waiting for it …'),
  );
  try {
    const reason = differs(root);
    if (reason === null) return;
    say(`Installing the dependencies (${reason}) …`);
    const failure = await install();
    if (failure !== null) throw new Error(`the dependencies can't be installed: ${failure}`);
    findNode();
    say('The dependencies are installed.');
  } finally {
    release();
  }
}

try {
  await setUp();
} catch (error) {
  say(`pitlane: ${error.message}`);
  process.exitCode = 1;
}
