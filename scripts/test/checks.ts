/** What is checked before any test: types, lint and format. */
import { styleText } from 'node:util';
import { biomeBinary } from './biome.ts';
import type { Run } from './run.ts';

/** The message is for people; it is empty when the step has said it all. */
export class StepFailed extends Error {}

/** Runs them at the same time; throws StepFailed with the output of those that failed. */
export async function runChecks(run: Run, say: (line: string) => void): Promise<void> {
  const failures: string[] = [];
  const check = async (name: string, command: string, args: readonly string[]) => {
    const startedAt = performance.now();
    const { code, output } = await run(command, args);
    if (code !== 0) failures.push(`${output.trimEnd()}\n${styleText('red', `✖ ${name}`)}`);
    else say(`${styleText('green', '✔')} ${name.padEnd(30)} ${elapsed(startedAt)}`);
  };
  const biome = biomeBinary();
  if (biome === null)
    say(
      `- lint and format                skipped: there is no Biome for ${process.platform}-${process.arch}`,
    );
  await Promise.all([
    check('types', 'node_modules/.bin/tsc', ['--noEmit', '-p', '.']),
    ...(biome === null ? [] : [check('lint and format', biome, ['check', '--error-on-warnings', '.'])]),
  ]);
  if (failures.length > 0) throw new StepFailed(failures.join('\n'));
}

function elapsed(startedAt: number): string {
  return styleText('gray', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
