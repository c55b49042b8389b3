/** The command line. Each command loads what it needs when it runs, so that help is quick. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { registerClock } from './commands/clock.ts';
import { registerCustomer } from './commands/customer.ts';
import { registerDeadLetter } from './commands/dead-letter.ts';
import { registerEmail } from './commands/email.ts';
import { registerInbox } from './commands/inbox.ts';
import { registerLink } from './commands/link.ts';
import { registerMigrate } from './commands/migrate.ts';
import { registerPartner } from './commands/partner.ts';
import { registerServe } from './commands/serve.ts';
import { registerSms } from './commands/sms.ts';
import { registerStatus } from './commands/status.ts';
import { registerTemplate } from './commands/template.ts';
import { withExamples } from './commands/verb.ts';
import { registerWorkshop } from './commands/workshop.ts';

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '';
}

/** Commander's `error: …`, in the form of all our failures. */
function usageLine(text: string): string {
  return `pitlane: ${text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
}

const program = new Command('pitlane')
  .description(
    'The partner API of automotive workshops. Settings are environment variables: see .env.example.',
  )
  .version(version(), '-V, --version', 'print the version')
  .option('--json', 'may also stand after the command')
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(usageLine(text)) });

withExamples(program, ['serve', 'status', 'partner create --name "Example Fleet"', 'workshop --help']);
for (const register of [registerServe, registerMigrate, registerStatus]) register(program);
for (const register of [registerPartner, registerWorkshop, registerLink]) register(program);
for (const register of [registerTemplate, registerCustomer, registerInbox]) register(program);
for (const register of [registerSms, registerEmail, registerDeadLetter, registerClock]) register(program);

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  const { reportFailure } = await import('./commands/failure.ts');
  process.exitCode = reportFailure(error);
}
