/** The door between SQL and TypeScript: names are snake_case in statements, and camelCase in the rows that callers read. */

interface Result<Row> {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: Row[];
}

/** As many as the columns of the program's own statements. */
const fields = new Map<string, string>();

/** How a column is read: `partner_id` → `partnerId`. */
export function fieldOf(column: string): string {
  let field = fields.get(column);
  if (field === undefined) {
    field = column.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    fields.set(column, field);
  }
  return field;
}

/** The rows of a result as callers read them; values are not touched. A result without such columns is returned as it is. */
export function inCamelCase<Row extends object>({ fields: columns, rows }: Result<Row>): Row[] {
  if (rows.length === 0 || !columns.some(({ name }) => name.includes('_'))) return rows;
  const names = columns.map(({ name }) => [name, fieldOf(name)] as const);
  return rows.map((row) => renamed(row, names));
}

function renamed<Row extends object>(row: Row, names: readonly (readonly [string, string])[]): Row {
  const from = row as Readonly<Record<string, unknown>>;
  const to: Record<string, unknown> = {};
  for (const [column, field] of names) to[field] = from[column];
  return to as Row;
}
