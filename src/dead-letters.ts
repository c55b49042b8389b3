/** What an operator does with a dead letter: has its work tried again, or gives it up. */

import type { Clock } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { ownValue } from '#base/values/own-value.ts';
import { type NewEntry, recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { type DeadLetter, takeDeadLetter } from '#platform/work/dead-letters/store.ts';
import { forgetFailure, startOver } from '#platform/work/failed/store.ts';
import { type FailedWork, jobs } from '#work.ts';

/** What was done with a letter; its work's own subject has its own entries. */
const ofLetter = ({ id, job, reason }: DeadLetter, actor: Actor, done: string, at: Date): NewEntry => ({
  ...{ actor, workshopId: null, subject: { kind: 'deadLetter', id }, action: `deadLetter.${done}`, at },
  after: { job, reason },
});

type Needed = { readonly db: Database; readonly clock: Clock };

/**
 * Has the work of a letter tried again, and deletes the letter. False when there is none with this id (a UUID). Throws
 * OperatorError when the work fails again at once; the letter stays then.
 */
export async function retryDeadLetter({ db, clock }: Needed, actor: Actor, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const letter = await takeDeadLetter(tx, id);
    if (letter === null) return false;
    const work = workOf(letter);
    const subjectId = subjectOf(letter);
    await recordEntry(tx, ofLetter(letter, actor, 'retried', clock.now()));
    if (!(await startOver(tx, letter.job, subjectId))) await work.retry?.(tx, subjectId, clock.now());
    return true;
  });
}

/**
 * Deletes the letter, with what only it could still have had done. What has no end of its own stays among the failed work, which nobody
 * does any more. False when there is none.
 */
export async function discardDeadLetter({ db, clock }: Needed, actor: Actor, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const letter = await takeDeadLetter(tx, id);
    if (letter === null) return false;
    await recordEntry(tx, ofLetter(letter, actor, 'discarded', clock.now()));
    const discard = ownValue(jobs, letter.job)?.discard;
    if (discard === undefined) return true;
    const subjectId = subjectOf(letter);
    await discard(tx, subjectId, clock.now());
    await forgetFailure(tx, letter.job, subjectId);
    return true;
  });
}

function workOf({ job }: DeadLetter): FailedWork {
  const work = ownValue(jobs, job);
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
