/** One seed for all that a run makes up: by it a file runs again as it ran. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach } from 'node:test';

/** The environment variable of the seed; a whole number. */
export const seedSetting = 'FUZZ_SEED';

/** The seed that was asked for, or another one each time. */
export function chooseSeed(given = process.env[seedSetting]): number {
  const asked = Number(given);
  return given && Number.isInteger(asked) ? asked : Math.floor(Math.random() * 2 ** 31);
}

/** Has each test's properties take their seed from that of the run and the test's name: no two tests make up the same. */
export async function seedProperties(files: readonly string[]): Promise<void> {
  const seed = process.env[seedSetting];
  if (!seed || !files.some((file) => readFileSync(file, 'utf8').includes('fast-check'))) return;
  const { default: fc } = await import('fast-check');
  beforeEach((test) => {
    const digest = createHash('sha256').update(`${seed} ${test.fullName}`).digest();
    fc.configureGlobal({ seed: digest.readInt32LE() });
  });
}

/** The same things in another order, which the seed alone decides. */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
  const rank = (at: number) => createHash('sha256').update(`${seed} ${at}`).digest('hex');
  return all
    .map((each, at) => ({ each, rank: rank(at) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ each }) => each);
}
