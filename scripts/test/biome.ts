/** The linter: the binary of Biome's platform package, called by itself. Its wrapper names platforms that a registry may lack. */
import { createRequire } from 'node:module';

/** Null on a platform that package.json brings no Biome for. */
export function biomeBinary(): string | null {
  try {
    return createRequire(import.meta.url).resolve(`@biomejs/cli-${process.platform}-${process.arch}/biome`);
  } catch {
    return null;
  }
}
