/** `npm run format`: formats all files and mends what the linter can mend. */
import { spawnSync } from 'node:child_process';
import { biomeBinary } from './test/biome.ts';

const biome = biomeBinary();
if (biome === null) throw new Error(`package.json brings no Biome for ${process.platform}-${process.arch}`);
process.exitCode = spawnSync(biome, ['check', '--write', '.'], { stdio: 'inherit' }).status ?? 1;
