/** The two actions on a dead letter: an operator has its work tried again, or gives it up. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { ownValue } from '#base/values/own-value.ts';
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import { type LetterGroup, oldestOf } from '#operation/status/failed-work/letters.ts';
import { type NewEntry, recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { isTransient } from '#platform/db/transient.ts';
import { type DeadLetter, takeDeadLetter } from '#platform/work/dead-letters/store.ts';
import { forgetFailure, startOver } from '#platform/work/failed/store.ts';
import { type FailedWork, jobs } from '#work.ts';

/** The entry of the trail about an action on a letter; its work's own subject has its own entries. */
const ofLetter = ({ id, job, reason }: DeadLetter, actor: Actor, done: string, at: Date): NewEntry => ({
  ...{ actor, workshopId: null, subject: { kind: 'deadLetter', id }, action: `deadLetter.${done}`, at },
  after: { job, reason },
});

/**
 * Has the work of a letter tried again, and deletes the letter. False when there is none with this id (a UUID). Throws
 * OperatorError when the work fails again at once; the letter stays then.
 */
export async function retryDeadLetter(context: ChangeContext, actor: Actor, id: string): Promise<boolean> {
  return change(context, async ({ tx, now }) => {
    const letter = await takeDeadLetter(tx, id);
    if (letter === null) return false;
    const work = workOf(letter);
    const subjectId = subjectOf(letter);
    await recordEntry(tx, ofLetter(letter, actor, 'retried', now));
    if (!(await startOver(tx, letter.job, subjectId))) await work.retry?.(tx, subjectId, now);
    return true;
  });
}

/**
 * Deletes the letter, with what only it could still have had done. What has no end of its own stays among the failed work, which nobody
 * does any more. False when there is none.
 */
export async function discardDeadLetter(context: ChangeContext, actor: Actor, id: string): Promise<boolean> {
  return change(context, async ({ tx, now }) => {
    const letter = await takeDeadLetter(tx, id);
    if (letter === null) return false;
    await recordEntry(tx, ofLetter(letter, actor, 'discarded', now));
    const discard = ownValue(jobs, letter.job)?.discard;
    if (discard === undefined) return true;
    const subjectId = subjectOf(letter);
    await discard(tx, subjectId, now);
    await forgetFailure(tx, letter.job, subjectId);
    return true;
  });
}

/** An action on one letter: false when it is not there any more. */
export type LetterDeed = (context: ChangeContext, actor: Actor, id: string) => Promise<boolean>;

export interface GroupBounds {
  /** How many letters are judged at most. */
  readonly limit: number;
  /** The id of the letter after which it begins; null: with the oldest. */
  readonly after: string | null;
  /** Called for each judged letter. */
  readonly onJudged?: () => void;
}

export interface GroupDone {
  readonly done: number;
  readonly refused: number;
  /** The first few of those that were refused, with the reason. */
  readonly refusals: readonly { readonly letterId: string; readonly message: string }[];
  /** The letter after which the next call begins; null: none of the group is left. */
  readonly after: string | null;
}

const refusalsAtMost = 5;

/**
 * Retries or discards the letters of a group that are there now, oldest first. Each has its own transaction and is judged alone: one
 * that is refused, or whose work throws, stays and stops none of the others. Throws when the database is unavailable.
 */
export async function withGroup(
  context: ChangeContext,
  actor: Actor,
  group: LetterGroup,
  deed: LetterDeed,
  { limit, after, onJudged }: GroupBounds,
): Promise<GroupDone> {
  const refusals: { letterId: string; message: string }[] = [];
  let [done, refused] = [0, 0];
  let last: string | null = null;
  for await (const letters of oldestOf(context.db, group, after)) {
    for (const { id } of letters) {
      if (done + refused === limit) return { done, refused, refusals, after: last };
      try {
        if (await deed(context, actor, id)) done++;
      } catch (error) {
        if (isTransient(error)) throw error;
        refused++;
        if (refusals.length < refusalsAtMost) refusals.push({ letterId: id, message: messageOf(error) });
      }
      onJudged?.();
      last = id;
    }
  }
  return { done, refused, refusals, after: null };
}

function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return redactedGatewayText(error instanceof Error ? error.message : String(error));
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
