/** `statements.sql`: every statement of the product, by the file that sends it. */
import { readdirSync, readFileSync } from 'node:fs';
import { layOut } from './layout.ts';
import type { Sent } from './recorder.ts';

export interface Entry {
  readonly file: string;
  readonly name: string;
  /** Laid out. */
  readonly text: string;
}

const head = `-- What the product asks of PostgreSQL: every text that reaches the driver, made by \`npm run mirrors -- --statements\`. Never edited by hand.
-- Each stands below the file and the declaration that send it, laid out to be read. What differs by filters: without any, and with each alone.
-- Left out: what can't be prepared (transactions, SET, LOCK, ANALYZE, COPY of backups), migrations, and the set-up of the embedded cluster.`;
const entryHead = /^-- (src\/\S+): (\w*)$/m;

/** What the processes of a run have recorded. */
export function readRecords(folder: string): Sent[] {
  return readdirSync(folder).flatMap(
    (name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Sent[],
  );
}

/** One entry for each text, at its first place. */
export function entriesOf(sent: readonly Sent[]): Entry[] {
  const all = sent.map(({ file, name, text }) => ({ file, name, text: layOut(text) })).sort(inOrder);
  return [...Map.groupBy(all, ({ text }) => text).values()].flatMap(([first]) => first ?? []).sort(inOrder);
}

export function compose(entries: readonly Entry[]): string {
  return [head, ...entries.map(({ file, name, text }) => `-- ${file}: ${name}\n${text};`), '']
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

export function parse(mirror: string): Entry[] {
  const [, ...parts] = mirror.split(entryHead);
  const entries: Entry[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    const [file = '', name = '', text = ''] = parts.slice(at, at + 3);
    entries.push({ file, name, text: text.trim().slice(0, -1) });
  }
  return entries;
}

const placeOf = ({ file, name }: Pick<Entry, 'file' | 'name'>) => `${file}: ${name}`;

function inOrder(a: Entry, b: Entry): number {
  return compare(placeOf(a), placeOf(b)) || compare(a.text, b.text);
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/**
 * The entries after a run of some tests: a declaration that sent a text that is new has those that it sent now, and one that is
 * gone has none. All others are as before, since other tests may send them.
 */
export function merge(
  entries: readonly Entry[],
  sent: readonly Sent[],
  source: (file: string) => string,
): Entry[] {
  const now = entriesOf(sent);
  const known = new Set(entries.map(({ text }) => text));
  const changed = new Set(now.filter(({ text }) => !known.has(text)).map(placeOf));
  const kept = entries.filter((entry) => !changed.has(placeOf(entry)) && isThere(entry, source));
  const texts = new Set(kept.map(({ text }) => text));
  return [...kept, ...now.filter(({ text }) => !texts.has(text))].sort(inOrder);
}

/**
 * The entries with what the source tells (`text` is null where it is composed): of a declaration whose texts are all told those that it has
 * now, of any other the recorded ones too. What stands in a declaration that is gone, goes.
 */
export function withTold(
  entries: readonly Entry[],
  told: readonly { readonly file: string; readonly name: string; readonly text: string | null }[],
  source: (file: string) => string,
): Entry[] {
  const sites = Map.groupBy(told, placeOf);
  const kept = entries.filter((entry) => {
    const own = sites.get(placeOf(entry));
    return own === undefined ? isThere(entry, source) : own.some(({ text }) => text === null);
  });
  const texts = told.flatMap(({ file, name, text }) =>
    text === null ? [] : [{ file, name, text, test: '' }],
  );
  return entriesOf([...kept.map((entry) => ({ ...entry, test: '' })), ...texts]);
}

const isThere = ({ file, name }: Entry, source: (file: string) => string) =>
  new RegExp(`\\b${name}\\b`).test(source(file));

export interface Difference {
  readonly place: string;
  readonly beginning: string;
}

/** What a run of all tests has sent that the mirror lacks, each with a test that sends it, and what the mirror has that no test sent. */
export function differences(
  entries: readonly Entry[],
  sent: readonly Sent[],
): {
  readonly missing: readonly (Difference & { readonly test: string })[];
  readonly stale: readonly Difference[];
} {
  const known = new Set(entries.map(({ text }) => text));
  const now = new Map(sent.map((each) => [layOut(each.text), each]));
  const told = (at: Pick<Entry, 'file' | 'name'>, text: string) => ({
    place: placeOf(at),
    beginning: beginning(text),
  });
  return {
    missing: [...now]
      .filter(([text]) => !known.has(text))
      .map(([text, each]) => ({ ...told(each, text), test: each.test })),
    stale: entries.filter(({ text }) => !now.has(text)).map((entry) => told(entry, entry.text)),
  };
}

const beginning = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80);
