/**
 * `npm test`: types, lint and format, house rules, then the tests on the embedded PostgreSQL and, at the same time, what depends
 * on its version on an installed one. `npm test -- path/to/x.test.ts` runs those files, or those of a folder, alone, on the
 * embedded one; `--only 15` or `--only 18` runs everything on one server; `--quick` what a change needs while one works on it;
 * `--strain` looks for what falls on a busy machine and at a bad hour.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestCluster, type TestCluster } from '../test/harness/cluster.ts';
import { unlikeMirror } from './statements/compare.ts';
import { changedTests, notRun, selectTests } from './test/changed.ts';
import { runChecks, StepFailed } from './test/checks.ts';
import { cpuOf, cpuSoFar } from './test/cpu.ts';
import { houseRules, testFiles } from './test/files.ts';
import { createGroups } from './test/groups.ts';
import { forSecondServer, isSlow, planFor } from './test/plan.ts';
import { embedded, installedServer, type Server } from './test/postgres.ts';
import { createReport, type RunCpu } from './test/report.ts';
import { endAll, run } from './test/run.ts';
import { runLanes } from './test/schedule.ts';
import { chooseSeed, seedSetting } from './test/seed.ts';
import { strainHours } from './test/strain/hours.ts';
import { strain } from './test/strain.ts';
import { provideTools, type Tools } from './test/tools.ts';

/** Of all tests. */
const timeoutMs = 25 * 60_000;
/** Files that mostly wait, at once, beside those that keep a core busy. */
const waitingSlots = 3;
/** Requests to each operation there; on the first server it is the test's own number. */
const fuzzRunsOnSecondServer = '4';
/** Under strain: beside the tests, and again at an hour at which a file fell. */
const pressure = { busyCores: 2, runsAfterFall: 10 };
/** Beside those that are changed themselves. */
const quickTestsAtMost = 40;
const root = fileURLToPath(new URL('..', import.meta.url));

process.chdir(root);
// Settings of the shell for a server of its own, or for psql, do not apply to the tests.
const ownSetting =
  /^(?:PG[A-Z]+|DATABASE_URL|PORT|HOST|SMTP_.+|TRUST_PROXY|LOG_LEVEL|SANDBOX_.+|PITLANE_(?!TEST_).+)$/;
for (const name of Object.keys(process.env).filter((key) => ownSetting.test(key))) delete process.env[name];
const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    strain: { type: 'boolean', default: false },
    shuffle: { type: 'boolean', default: false },
  },
});
const seed = chooseSeed();
process.env[seedSetting] = `${seed}`;
const startedAt = performance.now();
const clusters: { readonly server: Server; readonly cluster: Promise<TestCluster> }[] = [];
const ended = new AbortController();
const say = (line: string) => void process.stdout.write(`${line}\n`);
const show = (text: string) => void process.stdout.write(text);
const report = createReport(say);
/** Whoever names files, or has few of them run, sees what falls, and looks at once: nothing is forgiven there. */
const forgives = named.length === 0 && !options.quick;
const { runGroup, runAgain, stop } = createGroups({ report, ended, forgives, say, show });

/** The tests of one server. */
interface Part {
  readonly server: Server;
  readonly cluster: Promise<TestCluster>;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function on(server: Server, files: readonly string[], env = {}): Part {
  return { server, files, env, cluster: startCluster(server) };
}

function chooseParts(files: readonly string[]): Part[] {
  const installed = installedServer();
  const all = installed ? [embedded, installed] : [embedded];
  if (options.only !== undefined) {
    const chosen = all.filter((server) => server.name.startsWith(`PostgreSQL ${options.only},`));
    if (chosen.length === 0)
      throw new StepFailed(`--only ${options.only}: there is ${all.map(({ name }) => name).join('; ')}`);
    return chosen.map((server) => on(server, files));
  }
  if (named.length > 0) return [on(embedded, files)];
  if (!installed) {
    say(
      '- PostgreSQL 15                  skipped: no PostgreSQL from 15 on is installed beside the embedded one',
    );
    return [on(embedded, files)];
  }
  const FUZZ_RUNS = process.env['FUZZ_RUNS'] ?? fuzzRunsOnSecondServer;
  return [on(embedded, files), on(installed, forSecondServer(files), { FUZZ_RUNS })];
}

/** Waiting files start at once, whatever their server; then the rest, the first server's first. */
async function runParts(parts: readonly Part[], tools: Tools): Promise<void> {
  const lanes = { waiting: [] as Piece[], busy: [] as Piece[] };
  for (const part of parts) {
    const { adminUrl } = await part.cluster;
    const env = {
      ...{ PITLANE_TEST_CLUSTER: adminUrl, PITLANE_TEST_POSTGRES: part.server.binDir },
      ...tools.env,
      ...part.env,
    };
    const where = parts.length > 1 ? shortName(part.server) : '';
    const plan = planFor(part.files);
    for (const lane of ['waiting', 'busy'] as const) {
      for (const [rank, files] of plan[lane].entries()) {
        lanes[lane].push({ rank, work: () => runGroup(files, env, where) });
      }
    }
  }
  const inOrder = (pieces: Piece[]) => pieces.sort((a, b) => a.rank - b.rank).map(({ work }) => work);
  await runLanes([
    { slots: waitingSlots, pieces: inOrder(lanes.waiting) },
    { slots: availableParallelism(), pieces: inOrder(lanes.busy) },
  ]);
  await runAgain();
}

interface Piece {
  /** Its place in the order of its server. */
  readonly rank: number;
  work(): Promise<void>;
}

/** Runs all at the same time, and reports failures at the end. */
async function quick(): Promise<void> {
  const selection = selectTests(root, quickTestsAtMost, isSlow);
  const files = selection.files.filter((file) => file !== houseRules);
  const tools = await provideTools(run, files);
  const parts = files.length > 0 ? [on(embedded, files)] : [];
  await together([runChecks(run, say), runGroup([houseRules], {}), runParts(parts, tools)]);
  for (const line of notRun(selection)) say(line);
}

/** Prints what fell under which condition. */
async function runStrain(): Promise<void> {
  const files = named.length > 0 ? testFiles(named) : changedTests(root);
  const hours = strainHours(Temporal.Now.instant());
  const held = await strain({
    ...{
      files: files.filter((file) => file !== houseRules),
      hours,
      seed,
      ...pressure,
      shuffle: options.shuffle,
      ended,
      run,
      say,
      show,
    },
    startCluster: () => startCluster(embedded),
  });
  if (!held) throw new StepFailed('');
}

async function main(): Promise<void> {
  if (options.quick) return quick();
  const files = testFiles(named);
  const tools = provideTools(run, files);
  if (named.length === 0) {
    await together([runChecks(run, say), runGroup([houseRules], {})]);
    if (report.failed) return;
  }
  const found = await tools;
  const parts = chooseParts(files);
  for (const line of found.skipped) say(line);
  say(
    `\nTests on ${parts.map(({ server, files: its }) => `${server.name} (${its.length} files)`).join(', ')}`,
  );
  if (named.length > 0) return runParts(parts, found);
  const wrong = await unlikeMirror(root, found.skipped.length === 0, async () => {
    await runParts(parts, found);
    return !report.failed;
  });
  if (wrong.length > 0) throw new StepFailed(wrong.join('\n'));
}

/** Waits until all have ended, also after a failure, which it then throws. */
async function together(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** After packages were installed: one of them may bring the server's files in another version, and a running one would load them. */
function startCluster(server: Server): Promise<TestCluster> {
  const cluster = startTestCluster(server.binDir);
  // Whoever awaits it reports the failure.
  cluster.catch(() => undefined);
  clusters.push({ server, cluster });
  return cluster;
}

/** Null where the CPU of other processes can't be found out. */
async function cpuOfRun(): Promise<RunCpu | null> {
  if (cpuOf(process.pid) === null) return null;
  const servers = await Promise.all(
    clusters.map(async ({ server, cluster }) => ({
      label: shortName(server),
      cpuMs: cpuOf((await cluster).pid) ?? 0,
    })),
  );
  return { servers, totalMs: servers.reduce((sum, { cpuMs }) => sum + cpuMs, cpuSoFar()) };
}

function shortName({ name }: Server): string {
  return name.split(',')[0] ?? name;
}

async function stopAll(): Promise<void> {
  stop();
  endAll();
  await Promise.allSettled(clusters.map(async ({ cluster }) => (await cluster).stop()));
}

async function interrupted(): Promise<void> {
  await stopAll();
  process.exit(130);
}
// `disconnect`: the npm script that started this was killed. Waiting for that must not keep this process alive.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
  process.once(signal, () => void interrupted());
}
process.channel?.unref();

const tooLong = setTimeout(() => {
  if (options.strain) return;
  say(`✖ the tests were not done in ${timeoutMs / 60_000} minutes`);
  process.exitCode = 1;
  ended.abort();
}, timeoutMs);
try {
  if (options.strain) await runStrain();
  else {
    await main();
    report.close(performance.now() - startedAt, await cpuOfRun());
    say(`ℹ seed ${seed} (${seedSetting})`);
    if (report.failed) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof StepFailed)) console.error(error);
  else if (error.message !== '') say(error.message);
  process.exitCode = 1;
} finally {
  clearTimeout(tooLong);
  await stopAll();
}
