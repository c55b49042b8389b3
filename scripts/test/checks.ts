/** The checks before any test: types, lint and format. */
import { styleText } from 'node:util';
import { biomeBinary } from './biome.ts';
import type { Run } from './run.ts';

/** The message is for people; empty when the step has printed everything. */
export class StepFailed extends Error {}

/** What the last run found of files that are the same now, and import the same, is kept: 2 to 5 s of CPU instead of 9. */
const onlyWhatChanged = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];

/** Runs them at the same time, and prints the result of each; throws StepFailed when one failed. */
export async function runChecks(run: Run, say: (line: string) => void): Promise<void> {
  let failed = false;
  const check = async (name: string, command: string, args: readonly string[]) => {
    const startedAt = performance.now();
    const { code, output } = await run(command, args);
    failed ||= code !== 0;
    if (code !== 0) say(`${output.trimEnd()}\n${styleText('red', `✖ ${name}`)}`);
    else say(`${styleText('green', '✔')} ${name.padEnd(30)} ${elapsed(startedAt)}`);
  };
  const biome = biomeBinary();
  if (biome === null)
    say(
      `- lint and format                skipped: there is no Biome for ${process.platform}-${process.arch}`,
    );
  await Promise.all([
    check('types', 'node_modules/.bin/tsc', ['--noEmit', '-p', '.', ...onlyWhatChanged]),
    ...(biome === null ? [] : [check('lint and format', biome, ['check', '--error-on-warnings', '.'])]),
  ]);
  if (failed) throw new StepFailed('');
}

function elapsed(startedAt: number): string {
  return styleText('gray', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
