/** `npm run bench -- --against REF`: the present build beside the one of a commit. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../beside.ts';
import { parseBudget } from '../counts/budget.ts';
import { pathNames } from '../counts/counts.ts';
import { buildIn } from './build.ts';
import { checkOut, commitOf, contains, presentCommit, root } from './checkout.ts';
import type { Pair } from './pair.ts';
import { measureSpeeds, type Rounds } from './rates.ts';
import { provideServer, startBenchServer } from './server.ts';
import { type Side, type SideCost, startSide } from './side.ts';
import { type Costs, comparisonSection, statementsTable, tablesTable } from './table.ts';
import { growthOf } from './verdict.ts';

export interface Compared {
  /** For `bench/results.md`. */
  readonly section: string;
  /** By table and by statement. */
  readonly details: string;
  /** False when a count grew and no line says why. */
  readonly isAllowed: boolean;
}

/** A string says in words why nothing was measured. */
export async function compareWith(ref: string, rounds: Rounds): Promise<Compared | string> {
  const commit = commitOf(ref);
  if (commit === null)
    return `there is no commit "${ref}": name a branch, a tag or a hash of this repository`;
  const { reasons } = parseBudget(readFileSync(join(root, 'bench', 'budget.md'), 'utf8'));
  const provided = await provideServer();
  if (typeof provided === 'string')
    return `statements and WAL are counted on a PostgreSQL that is installed: ${provided}`;
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-against-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  say(`Checking ${ref} out …`);
  checkOut(commit, join(folder, 'build'));
  const server = await startBenchServer(provided, folder);
  const sides: Side[] = [];
  try {
    const start = async (name: string, at: string) => {
      say(`Starting ${name} …`);
      const urls = await server.create(name);
      mkdirSync(join(folder, 'data'), { recursive: true });
      const side = await startSide(buildIn(at, join(folder, 'data', name), urls.api), urls, server);
      sides.push(side);
      return side;
    };
    const both: Pair<Side> = {
      before: await start('before', join(folder, 'build')),
      now: await start('now', root),
    };
    const costs: [string, Pair<SideCost>][] = [];
    for (const name of pathNames) {
      say(`Counting ${name} …`);
      costs.push([name, { before: await both.before.count(name), now: await both.now.count(name) }]);
    }
    for (const side of sides) await side.endCounting();
    const found = Object.fromEntries(costs) as Costs;
    const holding = reasons.filter(({ since }) => contains(since, commit));
    const growth = pathNames.flatMap((name) => {
      const { before, now } = found[name];
      return growthOf(name, { before: before.counts, now: now.counts }, holding);
    });
    const comparison = {
      ...{ ref, rounds, growth, costs: found, server: server.name },
      commits: { before: commit.slice(0, 8), now: presentCommit() },
      speeds: await measureSpeeds(both, rounds),
    };
    return {
      section: comparisonSection(comparison),
      details: `${tablesTable(found)}\n\n${statementsTable(found)}\n`,
      isAllowed: growth.every(({ why }) => why.length > 0),
    };
  } finally {
    for (const side of sides) await side.close();
    await server.stop();
  }
}
