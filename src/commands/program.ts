/** The command line. Each command loads what it needs when it runs, so that help is quick. */
import { Command } from 'commander';
import type { Environment } from '#config/setting.ts';
import { registerAutomation } from './automation.ts';
import { registerBackup } from './backup.ts';
import { registerBlast } from './blast.ts';
import { registerBooking } from './booking.ts';
import { registerClock } from './clock.ts';
import { registerCustomer } from './customer.ts';
import { registerDeadLetter } from './dead-letter.ts';
import { registerDoctor } from './doctor.ts';
import { registerEmail } from './email.ts';
import { registerGateway } from './gateway.ts';
import { registerInbox } from './inbox.ts';
import { registerLink } from './link.ts';
import { registerMessage } from './message.ts';
import { registerMigrate } from './migrate.ts';
import { registerPartner } from './partner.ts';
import { registerQuote } from './quote.ts';
import { registerRestore } from './restore.ts';
import { registerServe } from './serve.ts';
import { registerSms } from './sms.ts';
import { registerStatus } from './status.ts';
import { registerTemplate } from './template.ts';
import { onTerminal, type Terminal } from './terminal.ts';
import { withExamples } from './verb.ts';
import { version } from './version.ts';
import { registerWebhook } from './webhook.ts';
import { registerWorkshop } from './workshop.ts';

/**
 * Runs one command: `argv` is what follows `pitlane`, `env` holds its settings, `out` takes its output. Resolves to the exit
 * code: 0, 1 for a failure, 2 for a wrong command line. Never rejects.
 */
export function main(argv: readonly string[], env: Environment, out: Omit<Terminal, 'env'>): Promise<number> {
  return onTerminal({ ...out, env }, async () => {
    try {
      await buildProgram(out).parseAsync(argv, { from: 'user' });
      return 0;
    } catch (error) {
      const { reportFailure } = await import('./failure.ts');
      return reportFailure(error);
    }
  });
}

function buildProgram({ stdout, stderr }: Omit<Terminal, 'env'>): Command {
  const program = new Command('pitlane')
    .description(
      'The partner API of automotive workshops. Settings are environment variables, or lines of a file .env: see .env.example.',
    )
    .version(version(), '-V, --version', 'print the version')
    .option('--json', 'may also stand after the command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(usageLine(text)),
    });

  withExamples(program, ['serve', 'status', 'partner create --name "Example Fleet"', 'workshop --help']);
  for (const register of [registerServe, registerMigrate, registerStatus, registerDoctor]) register(program);
  for (const register of [registerBackup, registerRestore]) register(program);
  for (const register of [registerPartner, registerWorkshop, registerLink]) register(program);
  for (const register of [registerBooking, registerQuote, registerTemplate]) register(program);
  for (const register of [registerCustomer, registerInbox]) register(program);
  for (const register of [registerSms, registerEmail, registerGateway]) register(program);
  for (const register of [registerAutomation, registerBlast, registerWebhook]) register(program);
  for (const register of [registerMessage, registerDeadLetter, registerClock]) register(program);
  return program;
}

/** Commander's `error: …`, in the form of all our failures. */
function usageLine(text: string): string {
  return `pitlane: ${text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
}
