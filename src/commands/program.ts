/** The command line. Each command loads what it needs when it runs, so that help is quick. */

import { styleText } from 'node:util';
import { Command, type OutputConfiguration } from 'commander';
import type { Environment } from '#base/config/setting.ts';
import { version } from '#base/version.ts';
import { registerAudit } from './audit.ts';
import { registerAutomation } from './automation.ts';
import { registerAvailability } from './availability.ts';
import { registerBackup } from './backup.ts';
import { registerBlast } from './blast.ts';
import { registerBooking } from './booking.ts';
import { registerClock } from './clock.ts';
import { registerCompletion } from './completion.ts';
import { registerConfig } from './config-check.ts';
import { registerCustomer } from './customer.ts';
import { registerDeadLetter } from './dead-letter.ts';
import { registerDoctor } from './doctor.ts';
import { registerEmail } from './email.ts';
import { registerGateway } from './gateway.ts';
import { registerImport } from './import.ts';
import { registerInbox } from './inbox.ts';
import { registerLead } from './lead.ts';
import { registerLink } from './link.ts';
import { registerMessage } from './message.ts';
import { registerMigrate } from './migrate.ts';
import { jsonText } from './output.ts';
import { registerPartner } from './partner.ts';
import { registerPerson } from './person.ts';
import { registerQuote } from './quote.ts';
import { registerReminder } from './reminder.ts';
import { registerRestore } from './restore.ts';
import { registerSecretKey } from './secret-key.ts';
import { registerServe } from './serve.ts';
import { registerSms } from './sms.ts';
import { registerStatus } from './status.ts';
import { registerTemplate } from './template.ts';
import { hasColours, onTerminal, type Streams, type Terminal, terminal } from './terminal.ts';
import { withExamples } from './verb.ts';
import { registerWebhook } from './webhook.ts';
import { registerWorkshop } from './workshop.ts';

/**
 * Runs one command: `argv` is what follows `pitlane`, `env` holds its settings, `out` takes its output. Resolves to the exit
 * code: 0, 1 for a failure, 2 for a wrong command line. Never rejects.
 */
export function main(argv: readonly string[], env: Environment, out: Streams): Promise<number> {
  return onTerminal({ ...out, env, json: argv.includes('--json') }, async () => {
    try {
      const program = await buildProgram((group) => argv.includes(group) || argv.includes('completion'));
      await program.parseAsync(argv, { from: 'user' });
      return 0;
    } catch (error) {
      const { reportFailure } = await import('./failure.ts');
      return reportFailure(error);
    }
  });
}

/**
 * `isMeant`: the command may belong to this group. The declarations of records are loaded only for the commands that are made from
 * them.
 */
async function buildProgram(isMeant: (group: string) => boolean): Promise<Command> {
  const program = new Command('pitlane')
    .description(
      'The partner API of automotive workshops. Settings are environment variables, or lines of a file .env: see .env.example.',
    )
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'may also stand after the command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(outputOf(terminal()))
    .configureHelp({
      styleTitle: (text) => styleText('bold', text),
      styleCommandText: (text) => styleText('cyan', text),
      styleSubcommandText: (text) => styleText('cyan', text),
      styleOptionTerm: (text) => styleText('cyan', text),
    });

  withExamples(program, ['serve', 'status', 'partner create --name "Example Fleet"', 'workshop --help']);
  for (const register of [registerServe, registerMigrate, registerConfig, registerSecretKey])
    register(program);
  for (const register of [
    registerStatus,
    registerDoctor,
    registerBackup,
    registerRestore,
    registerCompletion,
  ])
    register(program);
  for (const register of [registerPartner, registerWorkshop, registerLink, registerPerson]) register(program);
  await registerBooking(program, isMeant);
  registerAvailability(program);
  await registerQuote(program, isMeant);
  registerTemplate(program);
  for (const register of [registerCustomer, registerImport, registerInbox, registerMessage])
    register(program);
  for (const register of [registerReminder, registerLead]) await register(program, isMeant);
  for (const register of [registerSms, registerEmail, registerGateway]) register(program);
  for (const register of [registerAutomation, registerBlast, registerWebhook]) register(program);
  for (const register of [registerAudit, registerDeadLetter, registerClock]) register(program);
  return program;
}

/** Commander removes colours if the stream does not support them. */
function outputOf({ stdout, stderr, env, json }: Terminal): OutputConfiguration {
  return {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHasColors: () => hasColours(stdout, env),
    getErrHasColors: () => hasColours(stderr, env),
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
    outputError: (text, write) => {
      const line = lineOf(text);
      write(json ? `${jsonText({ error: { kind: 'usage', message: line } })}\n` : `pitlane: ${line}\n`);
    },
  };
}

/** Commander's message without `error: `. */
function lineOf(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
}
