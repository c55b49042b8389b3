/** Relays waiting events: runs the planners of each event, copies it into the audit trail and marks it relayed, in one transaction. */
import { copyEvents } from '#platform/audit/store.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { ScanWindow } from '#platform/db/scan-window.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { forgetFailure } from '#platform/work/failed/store.ts';
import type { Planner, Reactions, WaitingEvent } from './reaction.ts';
import { claimEvent, claimEvents, claimFailed, markRelayed } from './store.ts';

export const batchSize = 200;
export const relayJob: Job = { job: 'relay', subject: 'eventId' };

/**
 * Relays one batch and returns how many events it held: up to `batchSize`, and earlier events of the same subjects. When a planner
 * throws, each event is relayed alone; an event whose planner throws then is retried apart from the others, which do not wait for
 * it. Without `scans` it reads all events.
 */
export async function relayBatch(ctx: Context, reactions: Reactions, scans?: ScanWindow): Promise<number> {
  let claimed: readonly WaitingEvent[] = [];
  try {
    await ctx.db.transaction(async (tx) => {
      claimed = await claimEvents(tx, batchSize, scans?.next());
      await plan(tx, ctx, reactions, claimed);
    });
  } catch (error) {
    if (claimed.length === 0) throw error;
    ctx.log.warn({ err: error, events: claimed.length }, 'a batch of events failed: each is relayed alone');
    // In the order of each subject's versions.
    const inOrder = claimed.toSorted(
      (one, other) => one.version - other.version || (one.id < other.id ? -1 : 1),
    );
    for (const event of inOrder) await relayOne(ctx, reactions, event.id);
  }
  scans?.found(
    claimed.reduce<string | null>((least, { id }) => (least === null || id < least ? id : least), null),
  );
  if (claimed.length > 0) ctx.nudgeSender();
  return claimed.length;
}

async function relayOne(ctx: Context, reactions: Reactions, eventId: string): Promise<void> {
  const relay = () =>
    ctx.db.transaction(async (tx) => plan(tx, ctx, reactions, await claimEvent(tx, eventId)));
  if (await alone(ctx, relayJob, eventId, relay)) return;
  // The later events of its subject go on. What was done was done, whatever becomes of what follows from it.
  await copyEvents(ctx.db, [eventId]);
  if (!(await markRelayed(ctx.db, eventId))) await forgetFailure(ctx.db, relayJob.job, eventId);
}

/** Runs the planners of an event that failed, once, whatever was relayed since. */
export async function relayAgain(ctx: Context, reactions: Reactions, eventId: string): Promise<void> {
  await ctx.db.transaction(async (tx) =>
    plan(tx, ctx, reactions, await claimFailed(tx, relayJob.job, eventId)),
  );
  ctx.nudgeSender();
}

async function plan(
  tx: Queryable,
  ctx: Context,
  reactions: Reactions,
  events: readonly WaitingEvent[],
): Promise<void> {
  const planners = new Map<string, readonly Planner[]>(Object.entries(reactions));
  await copyEvents(
    tx,
    events.map(({ id }) => id),
  );
  for (const [kind, ofKind] of Map.groupBy(events, (event) => event.kind)) {
    for (const planner of planners.get(kind) ?? []) await planner(tx, ofKind, ctx);
  }
}
