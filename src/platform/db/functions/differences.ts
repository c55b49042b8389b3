/**
 * Which functions and triggers a database has in another edition than this code. What made one is in its comment in the database,
 * so it comes and goes with it: also in a dump, and in a database that is copied.
 */
import type { Queryable } from '../database.ts';
import { MigrationError } from '../migration-error.ts';
import type { SqlObject } from './source.ts';

interface Present {
  readonly kind: SqlObject['kind'];
  readonly name: string;
  readonly tableName: string | null;
  readonly comment: string | null;
  readonly isIndexed: boolean;
}

/** The change that one object needs. */
export interface Difference {
  readonly object: SqlObject;
  /**
   * `make`: the database lacks it. `replace`: it has an earlier edition. `adopt`: a migration has made it, before functions had files; that is
   * the first edition.
   */
  readonly action: 'make' | 'replace' | 'adopt';
}

const presentText = `
  SELECT 'function' AS kind, proname::text AS name, NULL AS table_name, obj_description(oid, 'pg_proc') AS comment,
         EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_proc'::regclass AND refobjid = pg_proc.oid AND classid = 'pg_class'::regclass)
           AS is_indexed
    FROM pg_proc WHERE pronamespace = current_schema()::text::regnamespace AND proname = ANY ($1)
   UNION ALL
  SELECT 'trigger', tgname, relname, obj_description(t.oid, 'pg_trigger'), false
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
   WHERE relnamespace = current_schema()::text::regnamespace AND NOT tgisinternal AND tgname = ANY ($1)`;
const comment = /^Pitlane, edition (\d+), ([0-9a-f]{64})$/;

/** The statement that notes what made the object. */
export function noted({ kind, name, table, edition, checksum }: SqlObject): string {
  const on = table === null ? '' : ` ON ${table}`;
  return `COMMENT ON ${kind.toUpperCase()} ${name}${on} IS 'Pitlane, edition ${edition}, ${checksum}'`;
}

/**
 * Returns the objects that the database lacks. One that has a later edition than this code keeps it: a later edition does right for the statements of the previous
 * release. Throws MigrationError for a text that was changed under its edition, or that an index was made with.
 */
export async function differences(db: Queryable, objects: readonly SqlObject[]): Promise<Difference[]> {
  const rows = await db.query<Present>(presentText, [objects.map(({ name }) => name)]);
  const keyOf = (kind: string, name: string, table: string | null) => `${kind} ${name} ${table ?? ''}`;
  const present = new Map(rows.map((row) => [keyOf(row.kind, row.name, row.tableName), row]));
  return objects.flatMap((object) => {
    const action = actionFor(object, present.get(keyOf(object.kind, object.name, object.table)));
    return action === null ? [] : [{ object, action }];
  });
}

function actionFor(object: SqlObject, present: Present | undefined): Difference['action'] | null {
  if (present === undefined) return 'make';
  const [, number, checksum] = comment.exec(present.comment ?? '') ?? [];
  if (number === undefined) return object.edition === 1 ? 'adopt' : 'replace';
  if (checksum === object.checksum || Number(number) > object.edition) return null;
  if (Number(number) === object.edition)
    throw new MigrationError(
      `${object.path} was changed after it was applied, under the same edition: restore it, or raise the number in its first line`,
    );
  if (present.isIndexed)
    throw new MigrationError(
      `${object.path} was changed, and an index was made with ${object.name}: restore it, and give the new function another name`,
    );
  return 'replace';
}
