/** A reply is never sent twice: whoever answers says what they have seen, and what the workshop has said since stands in the way. */
import { OperatorError } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { listAnswersSince, type SaidMeanwhile, type TalkWith } from './store.ts';

/** The workshop has answered since: somebody else, a partner, or the sender in another tab. */
export class AnsweredMeanwhile extends OperatorError {
  /** The newest first, 5 at most. */
  readonly answers: readonly SaidMeanwhile[];

  constructor(answers: readonly SaidMeanwhile[]) {
    super('not sent: the customer was answered meanwhile');
    this.answers = answers;
  }
}

/** In the transaction that sends, while the talk is held. `seen`: the newest message that the sender was shown; null: none. A customer's own newer text stands in no answer's way. Throws AnsweredMeanwhile. */
export async function requireUnanswered(tx: Queryable, talk: TalkWith, seen: string | null): Promise<void> {
  const answers = await listAnswersSince(tx, talk, seen);
  if (answers.length > 0) throw new AnsweredMeanwhile(answers);
}
