/**
 * What the last release promised: `test/openapi/released.json`, the API document of that time without its texts. A change of the
 * document that breaks it is named by `test/openapi/breaking.test.ts`; the changelog accepts it, and a release makes a new record.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../api-document.ts';
import { StepFailed } from '../test/checks.ts';
import { type Break, breakingChanges } from './breaking.ts';

const texts = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags']);

/** The document without what binds nobody. */
export function contractOf(document: object): string {
  const bare = withoutTexts(document);
  return `${JSON.stringify(bare)}\n`;
}

/** A property of a structure may have such a name: then it is a schema, and stays. */
function withoutTexts(node: unknown, isProperties = false): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutTexts(one));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => isProperties || !texts.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutTexts(value, name === 'properties')]));
}

/** The breaks that the unreleased part of the changelog does not name: `- **Breaking**: createBooking …`. */
export function unaccepted(breaks: readonly Break[], changelog: string): Break[] {
  const [, unreleased = ''] = changelog.split(/^## .*$/m);
  const entries = unreleased.split(/^- /m).filter((entry) => entry.startsWith('**Breaking**'));
  return breaks.filter(({ operationId }) => !entries.some((entry) => entry.includes(`\`${operationId}\``)));
}

/** Whether a version after another may break what that promised: a new major one; before 1.0.0 a new minor one. */
export function mayBreak(before: string, after: string): boolean {
  const [[wasMajor = 0, wasMinor = 0], [major = 0, minor = 0]] = [before, after].map((version) =>
    version.split('.').map(Number),
  ) as [number[], number[]];
  return major > wasMajor || (major === 0 && wasMajor === 0 && minor > wasMinor);
}

/** Makes the record of the version that is released. Throws StepFailed when the version is too small for what it breaks. */
export function recordRelease(root: string): void {
  const record = join(root, 'test/openapi/released.json');
  const read = (path: string): ApiDocument => JSON.parse(readFileSync(path, 'utf8'));
  const [before, after] = [read(record), read(join(root, 'openapi.json'))];
  const breaks = breakingChanges(before, after);
  if (breaks.length > 0 && !mayBreak(before.info.version, after.info.version)) {
    const list = breaks.map(({ operationId, what }) => `  ${operationId}: ${what}`).join('\n');
    throw new StepFailed(
      `${after.info.version} breaks what ${before.info.version} promised: release a major version, or before 1.0.0 a minor one\n${list}`,
    );
  }
  writeFileSync(record, contractOf(after));
}
