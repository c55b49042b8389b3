/**
 * Prevents two answers to the same SMS: the caller names the newest message it has seen, and an answer of the workshop since then
 * refuses the new one.
 */
import { OperatorError } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { listAnswersSince, type SaidMeanwhile, type TalkWith } from './store.ts';

/** The workshop has answered since: another person, a partner, or the same person in another tab. */
export class AnsweredMeanwhile extends OperatorError {
  /** Newest first, at most 5. */
  readonly answers: readonly SaidMeanwhile[];

  constructor(answers: readonly SaidMeanwhile[]) {
    super('not sent: the customer was answered meanwhile');
    this.answers = answers;
  }
}

/**
 * Runs in the transaction that sends, with the talk locked. `seen`: the newest message that the sender was shown; null: none. Newer
 * inbound SMS do not count. Throws AnsweredMeanwhile.
 */
export async function requireUnanswered(tx: Queryable, talk: TalkWith, seen: string | null): Promise<void> {
  const answers = await listAnswersSince(tx, talk, seen);
  if (answers.length > 0) throw new AnsweredMeanwhile(answers);
}
