/** `npm run bench -- --budget`: counts the hot paths, and writes what they cost into `bench/budget.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withCounts } from './budget.ts';
import { startHotPaths } from './hot-paths.ts';

const file = new URL('../budget.md', import.meta.url);

/** Resolves to whether the file has changed. */
export async function writeBudget(): Promise<boolean> {
  const before = readFileSync(file, 'utf8');
  const paths = await startHotPaths();
  const costs = await paths.count().finally(() => paths.close());
  const after = withCounts(before, costs);
  if (after !== before) writeFileSync(file, after);
  return after !== before;
}
