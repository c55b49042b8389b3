/** What an operator does with a dead letter: has its work tried again, or gives it up. */
import type { Clock } from '#clock.ts';
import type { Database } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { type DeadLetter, takeDeadLetter } from '#work/dead-letters/store.ts';
import { type FailedWork, jobs } from '#work.ts';

/**
 * Has the work of a letter tried again, and deletes the letter. False when there is none with this id (a UUID). Throws
 * OperatorError when the work fails again at once; the letter stays then.
 */
export async function retryDeadLetter(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  id: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const letter = await takeDeadLetter(tx, id);
    if (letter === null) return false;
    await workOf(letter).retry(tx, subjectOf(letter), clock.now());
    return true;
  });
}

/** Deletes the letter, with what only it could still have had done. False when there is none. */
export async function discardDeadLetter(db: Database, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const letter = await takeDeadLetter(tx, id);
    if (letter === null) return false;
    const discard = jobs[letter.job]?.discard;
    if (discard !== undefined) await discard(tx, subjectOf(letter));
    return true;
  });
}

function workOf({ job }: DeadLetter): FailedWork {
  const work = jobs[job];
  if (work === undefined)
    throw new OperatorError(`nobody knows how work of the kind ${job} is done: discard it`);
  return work;
}

/** A payload is one id. */
function subjectOf({ payload }: DeadLetter): string {
  const id = Object.values(payload)[0] ?? '';
  if (!isId(id)) throw new OperatorError('the letter does not say what it is about: discard it');
  return id;
}
