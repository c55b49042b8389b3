/**
 * The one way to change what is stored: a transaction with what must happen once, the change itself, its events and what it queues; after
 * the commit the relay and the sender of this process hear of it. Verbs parse and read before it, and call nothing outside the database in it: a `Change` has no gateways.
 */
import type { Context } from '#platform/context.ts';
import { type Database, isJoined, joining, type Queryable } from '#platform/db/database.ts';
import { noteWrittenTables } from '#platform/db/written-tables.ts';
import { again } from './again.ts';

/** The parts of a context that a change needs. */
export type ChangeContext = Pick<Context, 'db' | 'clock'> &
  Partial<Pick<Context, 'nudgeRelay' | 'nudgeSender' | 'onlyOnce'>>;

export interface Change {
  readonly tx: Queryable;
  /** Business time at the begin of the attempt. */
  readonly now: Date;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The context of verbs that are called in this change: what they change joins its transaction. */
  readonly within: Pick<Context, 'db' | 'clock' | 'nudgeRelay' | 'nudgeSender'> & {
    readonly onlyOnce: undefined;
  };
}

/**
 * Commits what `work` writes, together; an error rolls it back and is thrown. `work` runs again as a whole after a conflict, and after
 * the refusals of `again`, so it has no other effects. In the change of a caller (`within`) it runs once, as a part of that one.
 */
export async function change<T>(context: ChangeContext, work: (change: Change) => Promise<T>): Promise<T> {
  const { db, clock, nudgeRelay, nudgeSender, onlyOnce } = context;
  const partOf = (tx: Database, attempt: number): Change => ({
    ...{ tx, attempt, now: clock.now() },
    within: { db: tx, clock, nudgeRelay: nothing, nudgeSender: nothing, onlyOnce: undefined },
  });
  if (isJoined(db)) return work(partOf(db, 1));
  const [result, written] = await again(db, (attempt) =>
    db.transaction(async (tx) => {
      const noted = noteWrittenTables(tx);
      await onlyOnce?.begin(tx);
      const made = await work(partOf(joining(db, noted), attempt));
      await onlyOnce?.end(tx, made);
      return [made, noted.written] as const;
    }),
  );
  if (written.has('event')) nudgeRelay?.();
  if (queues.some((table) => written.has(table))) nudgeSender?.();
  return result;
}

/**
 * A change that is a single statement, which callers may share: it needs no transaction. `work` runs again after the refusals of
 * `again`; the relay is woken unless it resolves to null, and the sender is not. In the change of a caller it runs once, as a part of
 * that one; what must happen once needs such a change.
 */
export async function changeAtOnce<T>(
  { db, nudgeRelay, onlyOnce }: ChangeContext,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  if (isJoined(db)) return work(1);
  if (onlyOnce)
    throw new Error('a single statement does not keep what must happen once: call it in a change');
  const made = await again(db, work);
  if (made !== null) nudgeRelay?.();
  return made;
}

/** The work that the sender and the deliverer look for. */
const queues = ['queued_message', 'send_wake', 'webhook_lane', 'webhook_wake'];

const nothing = () => undefined;
