/** The accounts of all workshops, cached for five seconds, so that a hand-over makes no query. */
import { elapsedMs } from '#base/clock.ts';
import type { Queryable } from '#platform/db/database.ts';
import { listSmsAccounts } from './store.ts';

/** By the gateway's name. */
export type SmsAccounts = Readonly<Record<string, string>>;

interface Remembered {
  readonly untilMs: number;
  readonly accounts: Promise<ReadonlyMap<string, SmsAccounts>>;
}

const rememberedMs = 5_000;
const byDatabase = new WeakMap<Queryable, Remembered>();

/** The accounts of one workshop; undefined when it has none. Rejects when they can't be read. */
export async function smsAccountsOf(db: Queryable, workshopId: string): Promise<SmsAccounts | undefined> {
  let remembered = byDatabase.get(db);
  if (remembered === undefined || remembered.untilMs < elapsedMs()) {
    remembered = { untilMs: elapsedMs() + rememberedMs, accounts: read(db) };
    byDatabase.set(db, remembered);
    // A failed read is not cached.
    remembered.accounts.catch(() => byDatabase.delete(db));
  }
  return (await remembered.accounts).get(workshopId);
}

async function read(db: Queryable): Promise<ReadonlyMap<string, SmsAccounts>> {
  const rows = Map.groupBy(await listSmsAccounts(db), ({ workshopId }) => workshopId);
  return new Map(
    [...rows].map(([workshopId, its]) => [
      workshopId,
      Object.fromEntries(its.map(({ gateway, account }) => [gateway, account])),
    ]),
  );
}
