/** The columns of a statement, as PostgreSQL tells them without running it. */
import type pg from 'pg';
import { fieldOf } from '#platform/db/result-columns.ts';
import type { FieldKind } from './row-type.ts';

export interface Column {
  /** As a caller reads it: `partnerId`. */
  readonly field: string;
  /** Of PostgreSQL, such as `timestamptz`. */
  readonly type: string;
  /** What the driver makes of a value; JSON may be several. */
  readonly kinds: readonly FieldKind[];
}

/** The part of the driver's connection that describes: there is no such call in its interface. */
interface Connection {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The driver's own values: https://github.com/brianc/node-pg-types. Any other type is a string. */
const kinds: Readonly<Record<string, readonly FieldKind[]>> = {
  int2: ['number'],
  int4: ['number'],
  oid: ['number'],
  float4: ['number'],
  float8: ['number'],
  bool: ['boolean'],
  date: ['date'],
  timestamp: ['date'],
  timestamptz: ['date'],
  bytea: ['bytes'],
  json: ['string', 'number', 'boolean', 'array', 'object'],
  jsonb: ['string', 'number', 'boolean', 'array', 'object'],
  interval: ['object'],
  point: ['object'],
};

/** Describes statements on one connection. */
export async function describer(
  client: pg.PoolClient,
): Promise<(text: string) => Promise<readonly Column[]>> {
  const { rows } = await client.query<{ oid: number; name: string; is_array: boolean }>(
    `SELECT oid::int, typname AS name, typcategory = 'A' AS is_array FROM pg_type`,
  );
  const types = new Map(rows.map((row) => [row.oid, row]));
  return async (text) => {
    const fields = await described(client, text);
    return fields.map(({ name, dataTypeID }) => {
      const type = types.get(dataTypeID);
      return {
        field: fieldOf(name),
        type: type?.name ?? String(dataTypeID),
        kinds: type?.is_array ? ['array'] : (kinds[type?.name ?? ''] ?? ['string']),
      };
    });
  };
}

function described(client: pg.PoolClient, text: string): Promise<RowDescription['fields']> {
  return new Promise((resolve, reject) => {
    let fields: RowDescription['fields'] = [];
    const query = {
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription(message: RowDescription) {
        fields = message.fields;
      },
      handleError(error: Error) {
        reject(error);
      },
      handleReadyForQuery() {
        resolve(fields);
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}
