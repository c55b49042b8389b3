/**
 * Which functions and triggers the last release had: `test/released-functions.json`. One that was changed since needs a later edition, since
 * databases have the text of the release under its own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionFiles } from '#platform/db/functions/list.ts';
import { objectsOf, type SqlObject } from '#platform/db/functions/source.ts';

type Released = Readonly<Record<string, string>>;

const record = 'test/released-functions.json';
const nameOf = ({ kind, name }: SqlObject) => `${kind} ${name}`;

/** By kind and name: edition and checksum. */
export function releasedFunctions(root: string): Released {
  return JSON.parse(readFileSync(join(root, record), 'utf8'));
}

/** Files with a text that was changed after its edition was released. */
export function unraised(released: Released, objects: readonly SqlObject[]): string[] {
  const before = new Map(Object.entries(released));
  const wrong = objects.filter((object) => {
    const [edition, checksum] = before.get(nameOf(object))?.split(' ') ?? [];
    return checksum !== undefined && checksum !== object.checksum && Number(edition) >= object.edition;
  });
  return [...new Set(wrong.map(({ path }) => path))];
}

/** Makes the record of the version that is released. */
export function recordFunctions(root: string): void {
  const objects = functionFiles.flatMap((name) =>
    objectsOf({ path: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }),
  );
  const entries = objects.map((object) => [nameOf(object), `${object.edition} ${object.checksum}`] as const);
  writeFileSync(join(root, record), `${JSON.stringify(Object.fromEntries(entries.sort()), null, 2)}\n`);
}
