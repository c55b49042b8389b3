/** CHANGELOG.md: what is unreleased becomes the section of a version. */
import { StepFailed } from '../test/checks.ts';

const unreleased = '## Unreleased';

/** The page with everything unreleased under the version and its date (`2026-11-22`); throws StepFailed when there is nothing. */
export function releaseSection(page: string, version: string, date: string): string {
  const [before, ...after] = page.split(`${unreleased}\n`);
  const rest = after[0];
  if (before === undefined || rest === undefined || after.length !== 1)
    throw new StepFailed(`CHANGELOG.md has to have one section "${unreleased}"`);
  const [changes = ''] = rest.split(/^## /m);
  if (changes.trim() === '') throw new StepFailed(`CHANGELOG.md has nothing under "${unreleased}"`);
  if (rest.includes(`\n## ${version} `))
    throw new StepFailed(`CHANGELOG.md has a section ${version} already`);
  return `${before}${unreleased}\n\n## ${version} (${date})\n\n${rest.trimStart()}`;
}
