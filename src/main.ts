/** The process of one command: `pitlane …`. */

import { processEnvironment } from './base/config.ts';
import { main } from './commands/program.ts';

// A reader that has seen enough (`| head`) is no failure, unless the command says so.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // ECONNRESET: it closed a socket in which something was unread.
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  process.exit(process.exitCode ?? 0);
});
// Notes that can't be written, on a full disk for instance, stop nothing.
process.stderr.on('error', () => undefined);

const { env, envFile } = processEnvironment();
process.exitCode = await main(process.argv.slice(2), env, {
  stdout: process.stdout,
  stderr: process.stderr,
  envFile,
});
