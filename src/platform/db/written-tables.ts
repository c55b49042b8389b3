/** Which tables a transaction has inserted into, or updated. */
import { type Queryable, servedAs } from './database.ts';

export interface WrittenTables extends Queryable {
  /** By name, of the statements that were sent so far, whether they found rows to write or not. */
  readonly written: ReadonlySet<string>;
}

/** The same transaction. */
export function noteWrittenTables(tx: Queryable): WrittenTables {
  const written = new Set<string>();
  return servedAs<WrittenTables>(tx, {
    written,
    query(text, values) {
      for (const table of tablesOf(text)) written.add(table);
      return tx.query(text, values);
    },
  });
}

/** By the text of a statement; texts are constants. */
const known = new Map<string, readonly string[]>();

function tablesOf(text: string): readonly string[] {
  let tables = known.get(text);
  if (tables === undefined) {
    tables = Array.from(text.matchAll(/\b(?:INSERT INTO|UPDATE) (\w+)/g), ([, table = '']) => table);
    known.set(text, tables);
  }
  return tables;
}
