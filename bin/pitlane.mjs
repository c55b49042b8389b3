#!/usr/bin/env node
/** The command `pitlane`. */
import { join } from 'node:path';
import { launch, root } from './launch.mjs';

await launch(join(root, 'src', 'main.ts'), process.argv.slice(2));
