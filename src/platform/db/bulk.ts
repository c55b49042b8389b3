/** Whole tables, in or out: one transaction on a connection of its own, without time-outs, and COPY as streams. */
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { announce } from './announce.ts';
import { type Database, type Queryable, takeDirectConnection } from './database.ts';
import { translate } from './errors.ts';
import { inCamelCase } from './result-columns.ts';

/** Statements are not prepared, so any text may be run. */
export interface BulkReader extends Queryable {
  /** The output of a `COPY … TO STDOUT`, cut anywhere. Nothing else may run on the connection until it has ended. */
  copyOut(text: string): AsyncIterable<Buffer>;
}

export interface BulkWriter extends Queryable {
  /** Runs SQL that is not one of the product's statements: a migration of any number of statements, and what belongs to it. */
  script(text: string, values?: readonly string[]): Promise<void>;
  /** Runs a `COPY … FROM STDIN` of this content, and returns how many rows it wrote. */
  copyIn(text: string, content: Buffer): Promise<number>;
}

/**
 * Waits for locks as long as a migration does. Tables are read from end to end here. The rest makes the text of values the same on
 * every server.
 */
const settings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
  SET enable_seqscan = on; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET extra_float_digits = 3; SET timezone = 'UTC';
  SET bytea_output = 'hex'`;

/**
 * `work` reads one snapshot. It locks tables against schema changes only; others go on writing rows. Throws DatabaseUnavailable like any other access.
 */
export function inSnapshot<T>(db: Database, work: (tx: BulkReader) => Promise<T>): Promise<T> {
  return inLongTransaction(db, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
}

/** All of it is committed, or nothing. It is not run again after a conflict. */
export function inBulkTransaction<T>(db: Database, work: (tx: BulkWriter) => Promise<T>): Promise<T> {
  return inLongTransaction(db, 'BEGIN', work);
}

async function inLongTransaction<T>(
  db: Database,
  begin: string,
  work: (tx: BulkReader & BulkWriter) => Promise<T>,
): Promise<T> {
  const client = await takeDirectConnection(db);
  try {
    const tx = bulkOn(client);
    await tx.query(settings);
    await tx.query(begin);
    const result = await work(tx);
    await tx.query('COMMIT');
    return result;
  } finally {
    // The settings, and a transaction that failed, end with the connection.
    client.release(true);
  }
}

function bulkOn(client: PoolClient): BulkReader & BulkWriter {
  return {
    query<Row extends object>(text: string, values?: readonly unknown[]) {
      announce(text);
      return translated(async () => {
        // Several statements in one text can't have parameters, and nothing is read of their results.
        const result = await (values === undefined
          ? client.query<Row>(text)
          : client.query<Row>(text, [...values]));
        return Array.isArray(result) ? [] : inCamelCase(result);
      });
    },
    script: (text, values) =>
      translated(async () => {
        await (values === undefined ? client.query(text) : client.query(text, [...values]));
      }),
    async *copyOut(text) {
      try {
        yield* client.query(copyTo(text));
      } catch (error) {
        throw translate(error);
      }
    },
    copyIn: (text, content) =>
      translated(async () => {
        const copy = client.query(copyFrom(text));
        await pipeline([content], copy);
        return copy.rowCount;
      }),
  };
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}
