/**
 * `npm run bench`: how near the API comes to what its database can do. Starts its own servers and databases in temporary folders, runs
 * the API and its limits by turns, prints a table of ratios and writes `bench/results.md`. `usage` says how to run some of it.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { optionsOf } from '../scripts/options.ts';
import { comparisonIn, withComparison } from './against/table.ts';
import type { Found, Size } from './bench.ts';
import { benches } from './benches.ts';
import { report, table } from './report.ts';
import { type SharedInstallation, sharedInstallation } from './shared.ts';

const usage = `npm run bench                       all but the extra ones; writes bench/results.md
npm run bench -- --only find        one of them; writes nothing. May be given more than once
npm run bench -- --quick            a fifth of the time, for trying the benchmark itself; writes nothing
npm run bench -- --against REF      this build beside the one of a commit: counts, and rates of five rounds by turns. Prints
                                    tables, and ends with 1 when a count grew by over 3 % and bench/budget.md does not say why
npm run bench -- --budget           counts what the hot paths cost the database, and writes bench/budget.md: seconds

${benches.map(({ name, what, isExtra }) => `  ${name.padEnd(16)}${what}${isExtra ? ' (extra)' : ''}\n`).join('')}`;

const results = new URL('./results.md', import.meta.url);

async function main(): Promise<number> {
  const values = optionsOf(
    {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      budget: { type: 'boolean' },
      against: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    usage,
  );
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (values.budget) {
    const { writeBudget } = await import('./counts/write-budget.ts');
    process.stdout.write(`bench/budget.md: ${(await writeBudget()) ? 'rewritten' : 'unchanged'}\n`);
    return 0;
  }
  const { only, quick = false, against } = values;
  if (against !== undefined) {
    const { compareWith } = await import('./against/run.ts');
    const compared = await compareWith(against, { rounds: 5, seconds: quick ? 1 : 4 });
    if (typeof compared === 'string') {
      process.stderr.write(`${compared}\n`);
      return 2;
    }
    process.stdout.write(`${compared.section}\n${compared.details}`);
    if (!quick) writeFileSync(results, withComparison(readFileSync(results, 'utf8'), compared.section));
    return compared.isAllowed ? 0 : 1;
  }
  const unknown = only?.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no bench "${unknown}".\n\n${usage}`);
    return 2;
  }
  const chosen = benches.filter(({ name, isExtra }) => (only ? only.includes(name) : !isExtra));
  const size: Size = quick ? { quick, rounds: 1, seconds: 3 } : { quick, rounds: 3, seconds: 6 };
  const shared = sharedInstallation();
  const found: Found[] = [];
  for (const { run } of chosen) found.push(await run(size, shared));
  const rows = found.flatMap((each) => each.rows ?? []);
  const notes = found.flatMap((each) => each.notes ?? []);
  const sections = found.flatMap((each) => each.section ?? []);
  if (only) {
    const rest = notes.map((note) => `- ${note}\n`).join('');
    process.stdout.write([rows.length > 0 ? table(rows, notes) : rest, ...sections].join(''));
  } else {
    const text = report({ rows, notes, sections, postgres: await versionOf(shared), cpus: cpus() });
    process.stdout.write(text);
    if (!quick) writeFileSync(results, withComparison(text, comparisonIn(readFileSync(results, 'utf8'))));
  }
  await shared.stop();
  return 0;
}

async function versionOf(shared: SharedInstallation): Promise<string> {
  const { db } = await shared.running();
  const [version] = await db.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  return version?.version ?? '';
}

process.exitCode = await main();
