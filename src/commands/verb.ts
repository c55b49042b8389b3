/** How a command is declared: arguments, help with examples, `--json`, and its result printed in one place. */
import type { Command } from 'commander';
import { type CommandResult, note, printResult } from './output.ts';
import { terminal } from './terminal.ts';
import { chooseZone, zoneNote } from './times.ts';

export interface VerbSpec {
  /** Name and arguments: `show <customer>`. */
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** True: it shows times, and takes `--tz`. */
  readonly times?: boolean;
}

type Work<Options> = (args: readonly string[], options: Options) => Promise<CommandResult | null>;

/** Declares one command and returns it, so that options can be added. `work` resolves to null when there is nothing to print. */
export function verb<Options extends object>(parent: Command, spec: VerbSpec, work: Work<Options>): Command {
  const command = parent.command(spec.usage).description(spec.summary);
  command.option('--json', 'print the result as JSON, and nothing else, on standard output');
  if (spec.times) {
    command.option(
      '--tz <zone>',
      'show times in this zone, such as UTC or Australia/Melbourne; unless given, in that of the workshop',
    );
  }
  withExamples(command, spec.examples);
  return command.action(async () => {
    const options = command.optsWithGlobals<Options & { json?: true; tz?: string }>();
    chooseZone(options.tz);
    const answer = await work(command.args, options);
    if (answer) printResult(answer);
    const zones = terminal().json ? null : zoneNote();
    if (zones !== null) note(zones);
  });
}

/** Declares a group of commands. */
export function group(parent: Command, name: string, summary: string, examples: readonly string[]): Command {
  return withExamples(parent.command(name).description(summary), examples);
}

export function withExamples(command: Command, examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    ['', 'Examples:', ...examples.map((line) => `  npx pitlane ${line}`)].join('\n'),
  );
}

/** For options that may be given more than once. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
