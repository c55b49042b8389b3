/** Runs any TypeScript file of the project: `node bin/run.mjs scripts/x.ts [arguments]`. */
import { launch } from './launch.mjs';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node bin/run.mjs <script.ts> [arguments]\n');
  process.exit(2);
}
await launch(script, args);
