/** Tells whether a request changed anything: triggers note each row that is made, changed or deleted. */
import type { Database } from '#db/database.ts';

/**
 * Begins to note the changes of all tables but those of `leftOut`. The function that is returned resolves to the number of the last
 * change; those of a transaction that is rolled back leave it as it was.
 */
export async function noteChanges(db: Database, leftOut: readonly string[]): Promise<() => Promise<number>> {
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_name <> ALL ($1) AND table_type = 'BASE TABLE'`,
    [leftOut],
  );
  await db.query('CREATE TABLE noted_change (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)');
  await db.query(
    `CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN INSERT INTO noted_change DEFAULT VALUES; RETURN NULL; END'`,
  );
  for (const { name } of tables) {
    await db.query(
      `CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION note_change()`,
    );
  }
  return async () => {
    const [last] = await db.query<{ number: number }>(
      'SELECT coalesce(max(number), 0)::int AS number FROM noted_change',
    );
    return last?.number ?? 0;
  };
}
