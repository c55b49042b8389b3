/** Runs the linter's binary from Biome's platform package directly. Its wrapper names platforms that a registry may lack. */
import { createRequire } from 'node:module';

/** Null on a platform for which package.json has no Biome. */
export function biomeBinary(): string | null {
  try {
    return createRequire(import.meta.url).resolve(`@biomejs/cli-${process.platform}-${process.arch}/biome`);
  } catch {
    return null;
  }
}
