/** `npm run format`: formats all files and fixes what the linter can fix. */
import { spawnSync } from 'node:child_process';
import { biomeBinary } from './test/biome.ts';

const biome = biomeBinary();
if (biome === null) throw new Error(`package.json brings no Biome for ${process.platform}-${process.arch}`);
process.exitCode = spawnSync(biome, ['check', '--write', '.'], { stdio: 'inherit' }).status ?? 1;
