/** Runs work in transactions that are rolled back, so that nothing of it is ever visible, and plans on other connections what it ran. */
import type { PoolClient } from 'pg';
import { asRehearsal, rehearsal } from '#base/rehearsed.ts';
import { type Database, inTransaction, type Queryable, servedAs } from './database.ts';
import { oneByOne } from './one-by-one.ts';
import { planOnly } from './plan-only.ts';
import { takeConnection, usualSizeOf } from './pool.ts';

export interface Stage {
  /** Calls `work` once, in a transaction of its own that is rolled back. Returns the statements that it ran. */
  rehearse(work: () => Promise<unknown>): Promise<ReadonlySet<string>>;
  /** Has the other connections plan these statements. */
  planElsewhere(texts: ReadonlySet<string>): Promise<void>;
}

export interface Rehearsable {
  /** The same database; what a rehearsal asks of it goes to the transaction of the rehearsal. */
  readonly db: Database;
  /** Lends that many connections to `work`, or as many as it gets; when `ended` is aborted they are closed. */
  onStage(connections: number, ended: AbortSignal, work: (stage: Stage) => Promise<void>): Promise<void>;
}

class RolledBack extends Error {}
class RehearsalOver extends Error {}

/** A statement of a rehearsal waits no longer, for a lock or for anything else. */
const bounds = `SELECT set_config('statement_timeout', '1500', true), set_config('lock_timeout', '200', true)`;

export function rehearsable(base: Database): Rehearsable {
  const transactions = new WeakMap<object, Queryable>();
  const present = (): Queryable | undefined => {
    const of = rehearsal();
    return of && transactions.get(of);
  };
  const db: Database = servedAs(base, {
    ...base,
    query: (text, values) => (present() ?? base).query(text, values),
    transaction(work) {
      const tx = present();
      return tx === undefined ? base.transaction(work) : work(tx);
    },
  });

  async function rehearseOn(client: PoolClient, work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
    const of = {};
    const texts = new Set<string>();
    let isOver = false;
    let failed: { readonly error: unknown } | undefined;
    try {
      await inTransaction(client, async (tx) => {
        await tx.query(bounds);
        const own = oneByOne(tx, (error) => {
          failed ??= { error };
        });
        transactions.set(of, {
          query(text, values) {
            // Work that is still under way then must not reach the database.
            if (isOver) return Promise.reject(new RehearsalOver());
            texts.add(text);
            return own.query(text, values);
          },
        });
        try {
          await asRehearsal(of, work);
        } finally {
          isOver = true;
        }
        throw new RolledBack();
      });
    } catch (error) {
      // The first statement that failed says more than the failures that follow from it.
      if (failed !== undefined) throw failed.error;
      if (!(error instanceof RolledBack)) throw error;
    }
    return texts;
  }

  return {
    db,
    async onStage(connections, ended, work) {
      const clients: PoolClient[] = [];
      let isOpen = true;
      const release = (broken: boolean) => {
        isOpen = false;
        for (const client of clients.splice(0)) client.release(broken);
      };
      const take = async () => {
        const client = await takeConnection(base.pool);
        if (isOpen) clients.push(client);
        else client.release();
      };
      const close = () => release(true);
      ended.addEventListener('abort', close, { once: true });
      let broken = true;
      try {
        // Never ask for more connections than the pool has: it would wait for its own.
        const atMost = Math.min(connections, usualSizeOf(base.pool));
        const taken = await Promise.allSettled(Array.from({ length: atMost }, take));
        const [first, ...others] = clients;
        const failure = taken.find((one) => one.status === 'rejected');
        if (ended.aborted) return;
        if (first === undefined) throw failure?.reason;
        await work({
          rehearse: (rehearsed) => rehearseOn(first, rehearsed),
          planElsewhere: async (texts) => {
            await Promise.all(others.map((client) => planOnly(client, texts)));
          },
        });
        broken = false;
      } finally {
        ended.removeEventListener('abort', close);
        release(broken);
      }
    },
  };
}
