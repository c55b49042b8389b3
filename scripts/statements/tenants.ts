/**
 * By what each statement of `statements.sql` finds its rows: one workshop, one partner, or neither. Only what names a workshop could be
 * sent to one of several databases without asking the others. A set of calls in which each names its workshop counts as naming one.
 */
import { loadModule, parseSync } from 'libpg-query';
import type { Entry } from './mirror.ts';

export type Tenant = 'workshop' | 'partner' | 'neither';

export interface Found extends Entry {
  /** `workshop` also where it names a partner beside it. */
  readonly tenant: Tenant;
}

export interface GlobalKey {
  readonly table: string;
  readonly columns: readonly string[];
}

type Tree = Readonly<Record<string, unknown>>;
/** A node of the tree by its type, such as `A_Expr`. */
type Visit = (type: string, node: Tree) => void;

const tables: Readonly<Record<Exclude<Tenant, 'neither'>, string>> = {
  workshop: 'workshop_id',
  partner: 'partner_id',
};

export async function tenantsOf(entries: readonly Entry[]): Promise<Found[]> {
  await loadModule();
  return entries.map((entry) => ({ ...entry, tenant: tenantOf(parseSync(entry.text)) }));
}

function tenantOf(tree: unknown): Tenant {
  const aliases = new Map<string, string>();
  walk(tree, (type, node) => {
    const table = type === 'RangeVar' ? node : (node['relation'] as Tree | undefined);
    if (table !== undefined)
      aliases.set(aliasOf(table) ?? String(table['relname']), String(table['relname']));
  });
  const names = (table: Exclude<Tenant, 'neither'>) => {
    const isKey = (column: readonly string[]) => isKeyOf(table, column, aliases);
    let found = false;
    walk(tree, (type, node) => {
      found ||=
        (type === 'A_Expr' && comparesWithValue(node, isKey)) ||
        (type === 'InsertStmt' && insertsValue(node, tables[table])) ||
        (type === 'RangeFunction' && brings(node, tables[table]));
    });
    return found;
  };
  if (names('workshop')) return 'workshop';
  return names('partner') ? 'partner' : 'neither';
}

/** `x.workshop_id`, or the id of the table `workshop`. */
function isKeyOf(
  table: Exclude<Tenant, 'neither'>,
  column: readonly string[],
  aliases: ReadonlyMap<string, string>,
): boolean {
  const [name, qualifier] = column.toReversed();
  if (name === tables[table]) return true;
  if (name !== 'id') return false;
  const of = qualifier === undefined ? [...new Set(aliases.values())] : [aliases.get(qualifier)];
  return of.length === 1 && of[0] === table;
}

/** `key = $1`, `key = ANY ($1)`, `(key, other) = ($1, $2)`. */
function comparesWithValue(node: Tree, isKey: (column: readonly string[]) => boolean): boolean {
  const { lexpr, rexpr } = node;
  const operator = JSON.stringify(node['name']);
  if (!operator.includes('"="')) return false;
  const has = (side: unknown) => columnsIn(side).some(isKey);
  return (has(lexpr) && hasValue(rexpr)) || (has(rexpr) && hasValue(lexpr));
}

function insertsValue(node: Tree, column: string): boolean {
  const at = ((node['cols'] ?? []) as Tree[]).findIndex((each) => innerOf(each)['name'] === column);
  if (at === -1) return false;
  const select = innerOf(node['selectStmt'] as Tree);
  const lists = (select['valuesLists'] ?? []) as Tree[];
  const rows =
    lists.length > 0
      ? lists.map((list) => (innerOf(list)['items'] as unknown[])[at])
      : [((select['targetList'] ?? []) as unknown[])[at]];
  return rows.some(hasValue);
}

/** Rows that the caller hands over, in which each has the column: `jsonb_to_recordset($1) AS (workshop_id uuid)`, `unnest($1)`. */
function brings(node: Tree, column: string): boolean {
  return hasValue(node['functions']) && JSON.stringify(node).includes(`"${column}"`);
}

function hasValue(tree: unknown): boolean {
  let found = false;
  walk(tree, (type) => {
    found ||= type === 'ParamRef';
  });
  return found;
}

function columnsIn(tree: unknown): string[][] {
  const found: string[][] = [];
  walk(tree, (type, node) => {
    if (type === 'ColumnRef') found.push(namesOf(node['fields']));
  });
  return found;
}

/**
 * What has to be unique over all workshops: primary keys, unique constraints and indexes without `workshop_id`. A key of one column that
 * is the id of a row, or refers to one, is left out: such ids are made so that they never meet.
 */
export async function globalKeysOf(schema: string): Promise<GlobalKey[]> {
  await loadModule();
  const keys: GlobalKey[] = [];
  const uuids = new Set<string>();
  const add = (table: string, columns: readonly string[]) => {
    if (!columns.includes(tables.workshop)) keys.push({ table, columns });
  };
  walk(parseSync(schema), (type, node) => {
    const table = String((node['relation'] as Tree | undefined)?.['relname']);
    if (type === 'CreateStmt' || type === 'AlterTableStmt') {
      walk(node, (kind, part) => {
        if (kind === 'Constraint' && isUnique(part)) add(table, namesOf(part['keys']));
        if (kind !== 'ColumnDef') return;
        const column = String(part['colname']);
        if (JSON.stringify(part['typeName']).includes('"uuid"')) uuids.add(`${table} ${column}`);
        walk(part['constraints'], (_, constraint) => {
          if (isUnique(constraint)) add(table, [column]);
        });
      });
    }
    if (type === 'IndexStmt' && node['unique'] === true) {
      const params = (node['indexParams'] as Tree[]).map(innerOf);
      add(
        table,
        params.flatMap(({ name, expr }) => (name === undefined ? columnsIn(expr).flat() : [String(name)])),
      );
    }
  });
  return keys.filter(
    ({ table, columns }) =>
      columns.length > 0 && !(columns.length === 1 && uuids.has(`${table} ${columns[0]}`)),
  );
}

const isUnique = ({ contype }: Tree) => contype === 'CONSTR_PRIMARY' || contype === 'CONSTR_UNIQUE';

const namesOf = (list: unknown) => ((list ?? []) as Tree[]).map((name) => String(innerOf(name)['sval']));

/** `{ String: { sval } }` → `{ sval }`. */
const innerOf = (node: Tree): Tree => (Object.values(node)[0] ?? {}) as Tree;

const aliasOf = (node: Tree) => (node['alias'] as { aliasname?: string } | undefined)?.aliasname;

/** Calls `visit` for each node: an object's property with an upper-case name is one, by its type. */
function walk(tree: unknown, visit: Visit): void {
  if (Array.isArray(tree)) for (const each of tree) walk(each, visit);
  else if (typeof tree === 'object' && tree !== null) {
    for (const [name, value] of Object.entries(tree)) {
      if (/^[A-Z]/.test(name) && typeof value === 'object' && value !== null) visit(name, value as Tree);
      walk(value, visit);
    }
  }
}
