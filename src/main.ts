/** The process of one command: `pitlane …`. */
import { main } from './commands/program.ts';
import type { Environment } from './config/setting.ts';
import { processEnvironment } from './config.ts';

// A reader that has seen enough (`| head`) is no failure, unless the command says so.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode ?? 0);
});

function environment(): Environment {
  try {
    return processEnvironment();
  } catch (error) {
    process.stderr.write(`pitlane: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

process.exitCode = await main(process.argv.slice(2), environment(), process);
