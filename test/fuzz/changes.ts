/** Tells whether a request changed anything: triggers note each row that is made, changed or deleted. */
import type { Database } from '#platform/db/database.ts';

/**
 * Begins to note the changes of all tables but those of `leftOut`. The function that is returned resolves to a number that differs
 * whenever their rows do: the sum of a hash of each. Rows that came and went again do not count, nor those that were written as they were.
 */
export async function noteChanges(db: Database, leftOut: readonly string[]): Promise<() => Promise<bigint>> {
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_name <> ALL ($1) AND table_type = 'BASE TABLE'`,
    [leftOut],
  );
  await db.query(
    'CREATE TABLE fuzz_change (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sum numeric NOT NULL)',
  );
  const hashOf = (row: string) => `coalesce(hashtextextended(${row}::text, 0), 0)::numeric`;
  await db.query(
    `CREATE FUNCTION note_fuzz_change() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN INSERT INTO fuzz_change (sum) VALUES (${hashOf('new')} - ${hashOf('old')}); RETURN NULL; END'`,
  );
  for (const { name } of tables) {
    await db.query(
      `CREATE TRIGGER note_fuzz_change AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION note_fuzz_change()`,
    );
  }
  let last = '0';
  let sum = 0n;
  return async () => {
    const [found] = await db.query<{ last: string | null; sum: string | null }>(
      'SELECT max(number)::text AS last, sum(sum)::text AS sum FROM fuzz_change WHERE number > $1',
      [last],
    );
    last = found?.last ?? last;
    sum += BigInt(found?.sum ?? 0);
    return sum;
  };
}
