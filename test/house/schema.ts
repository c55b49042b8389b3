/** House rules about schema.sql, the mirror of the database. */
import { finding, type Rule } from './rule.ts';
import type { SourceFile } from './source.ts';

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** The condition of a partial one. */
  readonly where: string | null;
  readonly at: number;
}

interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
}

const list = (text = '') => text.split(',').map((column) => column.trim().replace(/ .*$/, ''));

function indexesOf(file: SourceFile): Index[] {
  const constraints = [
    ...file.text.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n([\s\S]*?)^\)/gm),
  ].flatMap((table) =>
    [
      ...(table[2] ?? '').matchAll(
        /CONSTRAINT \w+ (?:PRIMARY KEY|UNIQUE(?: NULLS NOT DISTINCT)?) \(([^)]*)\)/g,
      ),
    ].map((found) => ({
      table: table[1] ?? '',
      columns: list(found[1]),
      unique: true,
      where: null,
      at: table.index + table[0].indexOf(found[0]),
    })),
  );
  const others = file.text.matchAll(
    /^CREATE (UNIQUE )?INDEX \w+ ON public\.(\w+) USING btree \((.*?)\)(?: WHERE (.*))?;$/gm,
  );
  return [
    ...constraints,
    ...[...others].map((found) => ({
      table: found[2] ?? '',
      columns: list(found[3]),
      unique: found[1] !== undefined,
      where: found[4] ?? null,
      at: found.index,
    })),
  ];
}

function referencesOf(file: SourceFile): Reference[] {
  return [...file.text.matchAll(/FOREIGN KEY \([^)]*\) REFERENCES (\w+)\(([^)]*)\)/g)].map((found) => ({
    table: found[1] ?? '',
    columns: list(found[2]),
  }));
}

/** The check asks for all columns of the reference by equality; what it may go by, and read more than one row for it. */
function tempts(index: Index, { table, columns }: Reference): boolean {
  const [first = ''] = index.columns;
  if (index.table !== table || !columns.includes(first)) return false;
  // Its condition is not the check's, unless it says no more than that the column is there.
  if (index.where !== null && index.where !== `(${first} IS NOT NULL)`) return false;
  const isOneRow = index.unique && index.columns.every((column) => columns.includes(column));
  const hasAll = columns.every((column) => index.columns.slice(0, columns.length).includes(column));
  return !isOneRow && !hasAll;
}

const indexOrder: Rule = {
  name: 'no second index begins like the one that a foreign key goes by',
  instead:
    'let another column come first: on an empty table any index is as good as another, and the plan of the check is kept',
  find: (files) =>
    files
      .filter((file) => file.path === 'schema.sql')
      .flatMap((file) => {
        const references = referencesOf(file);
        return indexesOf(file).flatMap((index) => {
          const reference = references.find((each) => tempts(index, each));
          if (reference === undefined) return [];
          const { table, columns } = reference;
          const what = `${table} (${index.columns.join(', ')}) beside a reference to (${columns.join(', ')})`;
          return [finding(file, index.at, what)];
        });
      }),
  bad: [
    schema('UNIQUE (workshop_id, phone)'),
    schema('UNIQUE (id, phone)'),
    schema('UNIQUE NULLS NOT DISTINCT (workshop_id, phone)'),
    schema('UNIQUE (phone)', 'CREATE INDEX c ON public.customer USING btree (workshop_id);'),
    schema('UNIQUE (phone)', 'CREATE INDEX c ON public.customer USING btree (workshop_id DESC, name, id);'),
    schema(
      'UNIQUE (phone)',
      'CREATE INDEX c ON public.customer USING btree (id, phone) WHERE (id IS NOT NULL);',
    ),
  ],
  good: [
    schema('UNIQUE (phone, workshop_id)'),
    schema('PRIMARY KEY (id)'),
    schema('UNIQUE (phone)', 'CREATE INDEX c ON public.customer USING btree (id, workshop_id, name);'),
    schema(
      'UNIQUE (phone)',
      'CREATE INDEX c ON public.customer USING btree (workshop_id) WHERE (phone IS NULL);',
    ),
    schema('UNIQUE (phone)', 'CREATE INDEX c ON public.car USING btree (workshop_id);'),
  ],
};

/** Customers that cars refer to by workshop and id, with one more constraint and what follows. */
function schema(constraint: string, after = ''): Readonly<Record<string, string>> {
  return {
    'schema.sql': `CREATE TABLE car (
  workshop_id uuid,
  customer_id uuid,
  CONSTRAINT car_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id) ON DELETE CASCADE
);

CREATE TABLE customer (
  id uuid NOT NULL,
  CONSTRAINT customer_key UNIQUE (workshop_id, id),
  CONSTRAINT customer_more ${constraint}
);
${after}
`,
  };
}

export const schemaRules: readonly Rule[] = [indexOrder];
