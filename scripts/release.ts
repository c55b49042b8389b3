/** `npm run release -- patch|minor|major|<version>`: makes the commit and the tag of a release; see CONTRIBUTING.md. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { recordFunctions } from './contract/functions.ts';
import { recordRelease } from './contract/release.ts';
import { release } from './release/release.ts';
import { StepFailed } from './test/checks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [bump, ...others] = process.argv.slice(2);

function makeMirrors(): void {
  // Another process: this one has read the version before.
  const { status } = spawnSync(process.execPath, ['scripts/mirrors.ts'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new StepFailed('the mirrors were not made');
  recordRelease(root);
  recordFunctions(root);
}

try {
  if (bump === undefined || others.length > 0)
    throw new StepFailed('usage: npm run release -- patch|minor|major|<version>');
  const date = Temporal.Now.plainDateISO('UTC').toString();
  const version = release({ root, bump, date, makeMirrors });
  console.log(`Committed and tagged as v${version}. After npm test: git push --follow-tags`);
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
