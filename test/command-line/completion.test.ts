/** `pitlane completion`: bash completes by the script; the scripts name every command and option. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fail, json, runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-completion-'));
after(() => rmSync(folder, { recursive: true }));

const scriptOf = async (shell: string) => (await runHere(['completion', shell], {})).stdout;

test('bash offers commands, then their commands, then options, and files where it has none', async () => {
  const script = join(folder, 'pitlane.bash');
  writeFileSync(script, await scriptOf('bash'));
  // What bash does at a press of Tab, with the cursor behind the last word.
  const offered = (lines: readonly string[]): string[] => {
    const calls = lines.map(
      (line) =>
        `IFS=' ' read -ra COMP_WORDS <<< ${JSON.stringify(line.replace(/ $/, ''))}; ${line.endsWith(' ') ? "COMP_WORDS+=('')" : ':'}
         COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _pitlane; echo "\${COMPREPLY[*]}"`,
    );
    const program = [`set -eu; source ${script}; complete -p pitlane`, ...calls].join('\n');
    const [registered, ...answers] = execFileSync('bash', ['--norc', '-c', program], {
      encoding: 'utf8',
    }).split('\n');
    assert.equal(registered, 'complete -o default -F _pitlane pitlane');
    return answers;
  };
  const [groups, booking, create, options, nested, nothing, link] = offered([
    'pitlane bo',
    'pitlane booking ',
    'pitlane booking cr',
    'pitlane --json booking list --workshop 1 --s',
    'pitlane partner key ',
    'pitlane migrate zzz',
    'pitlane link ',
  ]);
  assert.equal(groups, 'booking');
  assert.match(booking ?? '', /^list show confirm complete cancel attendance ready preview create .*--help$/);
  assert.equal(create, 'create');
  assert.equal(options, '--status');
  assert.match(nested ?? '', /^create delete /);
  assert.equal(nothing, '');
  assert.match(link ?? '', /^list show .*--off/);
});

test('each shell gets every command and option', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptOf(shell);
    for (const word of ['dead-letter', 'opt-out', 'webhook', 'deliveries', 'strict', 'quiet-hours']) {
      assert.ok(script.includes(word), `${shell}: ${word}`);
    }
  }
  // Apostrophes of the summaries leave no quote open.
  const zsh = await scriptOf('zsh');
  assert.match(zsh, /'list:list a workshop'\\''s bookings by their dates/);
  assert.deepEqual((await json(['completion', 'fish'], {})).script, await scriptOf('fish'));
  await fail(['completion', 'tcsh'], {}, 2, /is not one of bash, zsh, fish/);
});
