/**
 * `pitlane completion <shell>`: a script that completes commands and options in a shell. It is made from the commands themselves.
 */
import { type Command, Help } from 'commander';
import { type Shell, shells } from './completion-scripts.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

const known = Object.keys(shells) as Shell[];

export function registerCompletion(program: Command): void {
  const completion = {
    usage: 'completion <shell>',
    summary: `print a script that makes a shell complete commands and options; for ${known.join(', ')}`,
    examples: [
      'completion bash > ~/.pitlane-completion',
      'completion fish > ~/.config/fish/completions/pitlane.fish',
    ],
  };
  verb(program, completion, async ([name = '']) => {
    const shell = known.find((one) => one === name);
    if (shell === undefined) throw new UsageError(`"${name}" is not one of ${known.join(', ')}`);
    const script = shells[shell](completionPointsOf(program, ''));
    return { json: { shell, script }, text: script.trimEnd() };
  }).addHelpText('after', about.trimEnd());
}

const about = `
It completes the command pitlane. Where that is run as "npx pitlane", give it a name first:

  alias pitlane='npx pitlane'
  source ~/.pitlane-completion      # in ~/.bashrc; in ~/.zshrc after compinit
`;

export interface Word {
  readonly word: string;
  readonly summary: string;
}

/** The completions after a path of commands, such as `booking list`; the empty path is pitlane itself. */
export interface CompletionPoint {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly takesValue: boolean })[];
}

function completionPointsOf(command: Command, path: string): CompletionPoint[] {
  const help = new Help();
  const commands = help.visibleCommands(command);
  const place: CompletionPoint = {
    path,
    commands: commands.map((each) => ({ word: each.name(), summary: each.description() })),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description, required, optional }) =>
        long === undefined || long === null
          ? []
          : [{ word: long, summary: description, takesValue: required || optional }],
      ),
  };
  const below = commands.filter((each) => each.name() !== 'help');
  return [place, ...below.flatMap((each) => completionPointsOf(each, `${path} ${each.name()}`.trim()))];
}
