/** `npm test -- --strain`: looks for tests that fall on a busy machine, in another order, or at a bad hour, before they land. */
import { readFileSync } from 'node:fs';
import { compileCache } from '../../test/harness/child.ts';
import type { TestCluster } from '../../test/harness/cluster.ts';
import { execute } from './execute.ts';
import { type FileResult, messageOf } from './results.ts';
import type { Run } from './run.ts';
import { runLanes } from './schedule.ts';
import { seedSetting, shuffled } from './seed.ts';
import { keepBusy } from './strain/busy.ts';
import { otherTime, provideFaketime, removeLeftovers } from './strain/faketime.ts';
import { type FallenFile, hasFallen, tableOf } from './strain/fallen.ts';
import type { Hour } from './strain/hours.ts';
import { passOn } from './strain/pass-on.mjs';
import { provideTools } from './tools.ts';

/** Processes of tests at once. */
const slots = 2;
/** Files that run in one process, one after the other: each time beside others. */
const filesTogether = 6;
/** Browsers; processes of a namespace, which repeat the ids by which faketime knows processes; and what sets another time by itself. */
const keepsTime = /harness\/browser\.ts|\binNamespace\b|\bfindFaketime\b/;
const present: Hour = { name: 'the present time', fromNowMs: 0 };

export interface Strain {
  readonly files: readonly string[];
  readonly seed: number;
  /** Also runs the tests of a file in another order. */
  readonly shuffle: boolean;
  readonly hours: readonly Hour[];
  readonly busyCores: number;
  /** How often a file runs again at an hour at which it fell. */
  readonly runsAfterFall: number;
  readonly ended: AbortController;
  readonly run: Run;
  say(line: string): void;
  /** The output of the tests. */
  show(text: string): void;
  /** At the hour that child processes are given when it is called. */
  startCluster(): Promise<TestCluster>;
}

/** Runs each file at each hour, and again where it fell. Resolves to false when one fell, after a table of what did. */
export async function strain(options: Strain): Promise<boolean> {
  const { files, seed, busyCores, say, ended } = options;
  if (files.length === 0) {
    say('No test file was added or touched.');
    return true;
  }
  const tools = await provideTools(options.run, files);
  for (const line of tools.skipped) say(line);
  say(`Seed ${seed}: ${seedSetting}=${seed} npm test -- --strain … takes the same orders again`);
  const fallen: FallenFile[] = [];
  const endBusy = keepBusy(busyCores);
  try {
    for (const [round, { hour, files: its, variables }] of (await roundsOf(options)).entries()) {
      if (its.length === 0 || ended.signal.aborted) continue;
      say(`\nBeside ${busyCores} busy cores, at ${hour.name}: ${its.length} files`);
      const endPassing = passOn(variables);
      try {
        fallen.push(...(await strainAt(hour, shuffled(its, seed + round), seed + round, tools.env, options)));
      } finally {
        endPassing();
        removeLeftovers();
      }
    }
  } finally {
    endBusy();
  }
  say(fallen.length === 0 ? '\n✔ nothing fell' : '\nFell:');
  if (fallen.length > 0) for (const line of tableOf(fallen)) say(line);
  return fallen.length === 0 && !ended.signal.aborted;
}

interface Round {
  readonly hour: Hour;
  readonly files: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Each file at each hour, or as often at the present time where that is not possible. */
async function roundsOf({ files, run, say, hours }: Strain): Promise<Round[]> {
  const faketime = await provideFaketime(run);
  if ('missing' in faketime) {
    say(`- other hours                    skipped: ${faketime.missing}`);
    return hours.map(() => ({ hour: present, files, variables: {} }));
  }
  const stays = files.filter((file) => keepsTime.test(readFileSync(file, 'utf8')));
  const others = files.filter((file) => !stays.includes(file));
  if (stays.length > 0)
    say(
      `- browsers, processes that repeat ids, and what sets another time by itself keep the present time: ${stays.join(', ')}`,
    );
  return [
    ...hours.map((hour) => ({ hour, files: others, variables: otherTime(faketime.library, hour.fromNowMs) })),
    ...hours.map(() => ({ hour: present, files: stays, variables: {} })),
  ];
}

async function strainAt(
  hour: Hour,
  files: readonly string[],
  seed: number,
  env: Readonly<Record<string, string>>,
  { runsAfterFall, ended, shuffle, say, show, startCluster }: Strain,
): Promise<FallenFile[]> {
  const cluster = await startCluster();
  const runFiles = async (some: readonly string[], itsSeed: number) => {
    const results: FileResult[] = [];
    await execute({
      ...{ files: some, signal: ended.signal, show, ...(shuffle && { orderSeed: itsSeed }) },
      env: {
        ...{ ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
        ...{ PITLANE_TEST_CLUSTER: cluster.adminUrl, [seedSetting]: `${itsSeed}` },
      },
      done(result) {
        results.push(result);
        say(`  ${hasFallen(result) ? '✖' : '✔'} ${result.file}  ${(result.durationMs / 1000).toFixed(1)} s`);
        for (const { name, error } of result.failures) say(`    ${name}: ${messageOf(error)}`);
      },
    });
    return results;
  };
  try {
    const first: FileResult[] = [];
    const groups = Array.from({ length: Math.ceil(files.length / filesTogether) }, (_, at) =>
      files.slice(at * filesTogether, (at + 1) * filesTogether),
    );
    const pieces = groups.map((group) => async () => void first.push(...(await runFiles(group, seed))));
    await runLanes([{ slots, pieces }]);
    const fallen: FallenFile[] = [];
    for (const { file, failures } of first.filter(hasFallen)) {
      const again: FileResult[] = [];
      for (let n = 1; n <= runsAfterFall && !ended.signal.aborted; n++)
        again.push(...(await runFiles([file], seed + n)));
      const fell = again.filter(hasFallen);
      fallen.push({
        ...{ file, condition: { hour: hour.name, seed } },
        ...{ fell: 1 + fell.length, runs: 1 + again.length },
        failures: [...failures, ...fell.flatMap((result) => result.failures)],
      });
    }
    return fallen;
  } finally {
    await cluster.stop();
  }
}
