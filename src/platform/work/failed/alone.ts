/**
 * One failing piece of work never stops the next. Due pieces are worked off together; when that throws, each alone. A piece that
 * throws alone has failed: it is retried with back-off, apart from the others, and becomes a dead letter in the end. Transient
 * errors of the database cost no try.
 */

import { jitteredPauseMs } from '#base/values/backoff.ts';
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { isTransient } from '#platform/db/transient.ts';
import { forgetFailure, noteFailure, takeDueFailure } from './store.ts';

/** These pauses are a quarter of an hour in all. */
export const pausesMs = [5_000, 30_000, 120_000, 600_000];
export const triesAtMost = pausesMs.length + 1;

type Needed = Pick<Context, 'db' | 'clock' | 'log'>;

export interface Job {
  /** As dead letters name it. */
  readonly job: string;
  /** The name of its subject's id in the payload of a dead letter: `reminderId`. */
  readonly subject: string;
}

export interface Pieces extends Job {
  /** How many are worked off together. */
  readonly atOnce: number;
  /**
   * The ids of up to `atMost` pieces that are due at `now` (business time) and have not failed (`notFailed`). It evaluates no
   * expression that the content of a row could make fail.
   */
  find(db: Queryable, now: Date, atMost: number): Promise<string[]>;
  /** Does those of them that are still due and that nobody else has; returns how many. Harmless when it is done again. */
  run(ctx: Context, ids: readonly string[]): Promise<number>;
}

/** Works off what is due. Throws only when finding due work or noting a failure throws: then the database is unavailable. */
export function workOff(ctx: Context, pieces: Pieces): Promise<number> {
  return inBatches(async (atMost) => {
    const ids = await pieces.find(ctx.db, ctx.clock.now(), atMost);
    return ids.length === 0 ? 0 : together(ctx, pieces, ids);
  }, pieces.atOnce);
}

async function together(ctx: Context, pieces: Pieces, ids: readonly string[]): Promise<number> {
  if (ids.length > 1) {
    try {
      return await pieces.run(ctx, ids);
    } catch (err) {
      ctx.log.warn(
        { err, job: pieces.job, pieces: ids.length },
        'work failed together: each piece runs alone',
      );
    }
  }
  for (const id of ids) await alone(ctx, pieces, id, () => pieces.run(ctx, [id]));
  return ids.length;
}

/** Does the work of one subject. What it throws is noted; false then. Throws when that can't be noted. */
export async function alone(
  { db, clock, log }: Needed,
  { job, subject }: Job,
  id: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (err) {
    const isItsOwn = !isTransient(err);
    const isGivenUp = await noteFailure(db, {
      ...{ job, subjectId: id, isItsOwn, triesAtMost },
      pausesMs: pausesMs.map((_, n) => jitteredPauseMs(pausesMs, n + 1)),
      payload: { [subject]: id },
      detail: redactedGatewayText(err instanceof Error ? err.message : String(err)),
      now: clock.now(),
    });
    const what = isGivenUp ? 'became a dead letter' : 'is tried again by itself';
    log[isItsOwn ? 'error' : 'warn']({ err, job, [subject]: id }, `a piece of work failed, and ${what}`);
    return false;
  }
}

/** Longer than a piece of work takes. */
const leaseSeconds = 120;

/** Retries one piece of a job; by the name of the job. */
export type Again = ReadonlyMap<string, Job & { again(ctx: Context, id: string): Promise<unknown> }>;

/** Retries failed work that is due, each piece alone; the record of one that succeeds is deleted. Returns how many it tried. */
export async function retryFailed(ctx: Context, works: Again): Promise<number> {
  for (let tried = 0; ; tried++) {
    const due = await takeDueFailure(ctx.db, [...works.keys()], leaseSeconds);
    const work = due && works.get(due.job);
    if (due === null || work === undefined || work === null) return tried;
    const { job, subjectId } = due;
    if (await alone(ctx, work, subjectId, () => work.again(ctx, subjectId)))
      await forgetFailure(ctx.db, job, subjectId);
  }
}
