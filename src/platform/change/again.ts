/** Refusals after which a change is made again as a whole, from its start. */
import type { Database } from '#platform/db/database.ts';
import { violatedConstraint } from '#platform/db/errors.ts';

/** The facts that a change was decided on have changed: the change is made again. Thrown in a change, by a store or a rule. */
export abstract class Again extends Error {
  /** Called before the next attempt, when the transaction was rolled back. */
  prepare(_db: Database): Promise<void> {
    return Promise.resolve();
  }

  /** The error for the caller when the last attempt was refused too. */
  abstract giveUp(): Error;
}

/**
 * Unique constraints that a further attempt may satisfy: of codes that are drawn at random, and of a customer's number, whose customer the
 * next attempt finds.
 */
const passing: ReadonlySet<string | undefined> = new Set([
  'booking_code',
  'quote_code',
  'service_reminder_code',
  'customer_phone_workshop_id_key',
]);

const attemptsAtMost = 6;

/** Runs `work`, with the number of the attempt from 1, until it is not refused in a passing way: six times at most. */
export async function again<T>(db: Database, work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const isLast = attempt === attemptsAtMost;
      if (error instanceof Again) {
        if (isLast) throw error.giveUp();
        await error.prepare(db);
      } else if (isLast || !passing.has(violatedConstraint(error))) throw error;
    }
  }
}
