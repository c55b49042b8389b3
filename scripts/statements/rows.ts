/** Holds the rows that callers read against the columns that their statements return. */
import type { Column } from './columns.ts';
import { layOut } from './layout.ts';
import type { Entry } from './mirror.ts';
import type { Field } from './row-type.ts';
import type { Site } from './sites.ts';
import type { Told } from './told.ts';

/** Returns the columns of a statement. */
export type Describe = (text: string) => Promise<readonly Column[]>;

/** What is wrong with a row, in words; none where the statement returns all that its caller reads. */
export function wrongFields(fields: readonly Field[], columns: readonly Column[]): string[] {
  const known = new Map(columns.map((column) => [column.field, column]));
  return fields.flatMap(({ name, isOptional, kinds, type }) => {
    const column = known.get(name);
    if (column === undefined) return isOptional ? [] : [`reads ${name}, which the statement does not return`];
    if (kinds.includes('any') || kinds.length === 0 || column.kinds.some((kind) => kinds.includes(kind)))
      return [];
    return [`reads ${name} as ${type}, and the statement returns ${column.type}`];
  });
}

/**
 * What callers read that their statements do not return. A site whose text is told is held against that. One whose text is composed is held
 * against the texts that the tests have sent from its declaration: it has to fit one of them, and each of them has to fit a site.
 */
export async function unlikeRows(
  sites: readonly Told[],
  entries: readonly Entry[],
  describe: Describe,
): Promise<string[]> {
  const wrong: string[] = [];
  const say = ({ file, line, name }: Site, what: string) => wrong.push(`${file}:${line} ${name} ${what}`);
  for (const site of sites) {
    if (site.text === null || site.fields === null) continue;
    for (const what of wrongFields(site.fields, await describe(site.text))) say(site, what);
  }
  const composed = sites.filter(({ text, isGeneric }) => text === null && !isGeneric);
  for (const [place, own] of Map.groupBy(composed, placeOf)) {
    const told = new Set(
      sites.flatMap((site) => (site.text !== null && placeOf(site) === place ? [layOut(site.text)] : [])),
    );
    const texts = entries.filter((entry) => placeOf(entry) === place && !told.has(entry.text));
    const columns: (readonly Column[])[] = [];
    for (const { text } of texts) columns.push(await describe(text));
    for (const site of own) {
      if (site.fields === null) continue;
      const { fields } = site;
      if (texts.length === 0) say(site, 'sends a composed text that statements.sql does not have');
      const [least = []] = columns
        .map((each) => wrongFields(fields, each))
        .toSorted((one, other) => one.length - other.length);
      for (const what of least) say(site, what);
    }
    const [first] = own;
    for (const each of columns) {
      const fits = own.some(({ fields }) => fields === null || wrongFields(fields, each).length === 0);
      if (!fits && first !== undefined)
        say(
          first,
          `sends a text that returns ${each.map(({ field }) => field).join(', ')}, which no caller reads so`,
        );
    }
  }
  return wrong;
}

const placeOf = ({ file, name }: Pick<Entry, 'file' | 'name'>) => `${file}: ${name}`;
