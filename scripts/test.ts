/**
 * `npm test`: types, lint and format, house rules, then the tests on the embedded PostgreSQL and on an installed one.
 * `npm test -- path/to/x.test.ts` runs those files, or those of a folder, alone, on the embedded one; `--only 15` or `--only 18` picks a server.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';
import { startTestCluster, type TestCluster } from '../test/harness/cluster.ts';
import { biomeBinary } from './test/biome.ts';
import { type Browser, provideBrowser } from './test/browser.ts';
import { provideExim } from './test/exim.ts';
import { provideKannel } from './test/kannel.ts';
import { embedded, installedServer, type Server } from './test/postgres.ts';
import { endAll, run } from './test/run.ts';

/** Of one test; the slowest wait for another process to take over, up to a minute. */
const testTimeoutMs = 120_000;
/** Of all tests on one server. */
const serverTimeoutMs = 20 * 60_000;
const houseRules = 'test/house.test.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// What a shell has set for a server of its own, or for psql, is not the tests'.
const ownSetting =
  /^(?:PG[A-Z]+|DATABASE_URL|PORT|HOST|SMTP_.+|TRUST_PROXY|LOG_LEVEL|SANDBOX_.+|PITLANE_(?!TEST_).+)$/;
for (const name of Object.keys(process.env).filter((key) => ownSetting.test(key))) delete process.env[name];
const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
});

const clusters: Promise<TestCluster>[] = [];

/** The message is for people; it is empty when the step has said it all. */
class StepFailed extends Error {}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one command quietly; its output is shown when it fails. */
async function check(name: string, command: string, args: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const { code, output } = await run(command, args);
  if (code !== 0) throw new StepFailed(`${output.trimEnd()}\n${styleText('red', `✖ ${name}`)}`);
  say(`${styleText('green', '✔')} ${name.padEnd(30)} ${elapsed(startedAt)}`);
}

function elapsed(startedAt: number): string {
  return styleText('gray', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

function nodeTest(...args: readonly string[]): string[] {
  return ['--test', `--test-timeout=${testTimeoutMs}`, '--test-reporter=./scripts/test/reporter.ts', ...args];
}

/** Servers to test on; the last is said when it can't be had. */
function chooseServers(): Server[] {
  const installed = installedServer();
  const all = installed ? [embedded, installed] : [embedded];
  if (options.only !== undefined) {
    const chosen = all.filter((server) => server.name.startsWith(`PostgreSQL ${options.only},`));
    if (chosen.length === 0)
      throw new StepFailed(`--only ${options.only}: there is ${all.map(({ name }) => name).join('; ')}`);
    return chosen;
  }
  if (named.length > 0) return [embedded];
  if (!installed)
    say(
      '- PostgreSQL 15                  skipped: no PostgreSQL from 15 on is installed beside the embedded one',
    );
  return all;
}

async function testOn(
  server: Server,
  cluster: TestCluster,
  files: readonly string[],
  browser: Browser | undefined,
  lacking: Readonly<Record<string, string>>,
): Promise<void> {
  say(`\nTests on ${server.name}`);
  const env = {
    ...process.env,
    PITLANE_TEST_CLUSTER: cluster.adminUrl,
    PITLANE_TEST_POSTGRES: server.binDir,
    ...(browser &&
      ('path' in browser
        ? { PITLANE_TEST_CHROMIUM: browser.path }
        : { PITLANE_TEST_NO_BROWSER: browser.missing })),
    ...lacking,
  };
  const signal = AbortSignal.timeout(serverTimeoutMs);
  const args = nodeTest(
    `--test-concurrency=${availableParallelism()}`,
    '--import=./test/harness/watchdog.ts',
    ...files,
  );
  const { code } = await run(process.execPath, args, { env, signal, show: true });
  if (signal.aborted) throw new StepFailed(`the tests were not done in ${serverTimeoutMs / 60_000} minutes`);
  if (code !== 0) throw new StepFailed('');
}

function testFiles(): string[] {
  if (named.length > 0) return named.flatMap(testFilesOf);
  return globSync('{src,test,scripts,bench,bin}/**/*.test.ts')
    .filter((file) => file !== houseRules)
    .sort();
}

/** A file is taken as it is, a folder stands for the tests below it. */
function testFilesOf(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  const files = stat?.isDirectory() ? globSync(`${path}/**/*.test.ts`).sort() : [path];
  if (stat === undefined || files.length === 0) throw new StepFailed(`there are no tests at ${path}`);
  return files;
}

async function main(): Promise<void> {
  const files = testFiles();
  const anyUses = (path: string) => files.some((file) => readFileSync(file, 'utf8').includes(path));
  const browser = anyUses('harness/browser.ts') ? provideBrowser(run) : undefined;
  // One after the other: apt-get works for one at a time.
  const kannel = Promise.resolve(browser).then(() =>
    anyUses('harness/kannel.ts') ? provideKannel(run) : null,
  );
  const exim = kannel.then(() => (anyUses('harness/exim.ts') ? provideExim(run) : null));
  const servers = chooseServers().map((server) => ({ server, cluster: startCluster(server) }));

  if (named.length === 0) {
    await check('types', 'node_modules/.bin/tsc', ['--noEmit', '-p', '.']);
    const biome = biomeBinary();
    if (biome) await check('lint and format', biome, ['check', '--error-on-warnings', '.']);
    else
      say(
        `- lint and format                skipped: there is no Biome for ${process.platform}-${process.arch}`,
      );
    await check('house rules', process.execPath, nodeTest(houseRules));
  }
  const found = await browser;
  if (found && 'missing' in found) say(`- browser tests                  skipped: ${found.missing}`);
  const [noKannel, noExim] = [await kannel, await exim];
  if (noKannel !== null) say(`- tests with Kannel              skipped: ${noKannel}`);
  if (noExim !== null) say(`- tests with Exim                skipped: ${noExim}`);
  const lacking = {
    ...(noKannel !== null && { PITLANE_TEST_NO_KANNEL: noKannel }),
    ...(noExim !== null && { PITLANE_TEST_NO_EXIM: noExim }),
  };
  for (const { server, cluster } of servers) await testOn(server, await cluster, files, found, lacking);
}

/** Starts while the checks run. */
function startCluster(server: Server): Promise<TestCluster> {
  const cluster = startTestCluster(server.binDir);
  // A failure is told by whoever awaits it.
  cluster.catch(() => undefined);
  clusters.push(cluster);
  return cluster;
}

async function stopAll(): Promise<void> {
  endAll();
  await Promise.allSettled(clusters.map(async (cluster) => (await cluster).stop()));
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

try {
  await main();
} catch (error) {
  if (!(error instanceof StepFailed)) console.error(error);
  else if (error.message !== '') say(error.message);
  process.exitCode = 1;
} finally {
  await stopAll();
}
