/** SQL of people's names, to show who did something. */
import type { Queryable } from '#platform/db/database.ts';

/** By id; a removed person has no name. */
export async function namesOf(
  db: Queryable,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM person WHERE id = ANY ($1::uuid[])',
    [personIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
