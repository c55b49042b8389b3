/** Relays waiting events: runs the planners of each event and marks it relayed, in one transaction. */
import type { Context } from '#context.ts';
import { DatabaseUnavailable, type Queryable } from '#db/database.ts';
import type { Looks } from '#db/looks.ts';
import { addDeadLetter } from '#work/dead-letters/store.ts';
import type { Planner, Reactions, WaitingEvent } from './reaction.ts';
import { claimEvent, claimEvents } from './store.ts';

export const batchSize = 200;

/** A planner threw: the fault of its event, not of the relay. */
class PlannerFailed extends Error {}

/**
 * Relays one batch and returns how many events it held: up to `batchSize`, and earlier events of the same subjects. An event
 * whose planner throws becomes a dead letter (job `relay`) and does not stop the others. Without `looks` it looks at all events.
 */
export async function relayBatch(ctx: Context, reactions: Reactions, looks?: Looks): Promise<number> {
  let claimed: readonly WaitingEvent[] = [];
  try {
    await ctx.db.transaction(async (tx) => {
      claimed = await claimEvents(tx, batchSize, looks?.next());
      await plan(tx, ctx, reactions, claimed);
    });
  } catch (error) {
    if (!(error instanceof PlannerFailed)) throw error;
    // In the order of each subject's versions.
    const inOrder = claimed.toSorted(
      (one, other) => one.version - other.version || (one.id < other.id ? -1 : 1),
    );
    for (const event of inOrder) await relayOne(ctx, reactions, event.id);
  }
  looks?.found(
    claimed.reduce<string | null>((least, { id }) => (least === null || id < least ? id : least), null),
  );
  if (claimed.length > 0) ctx.nudgeSender();
  return claimed.length;
}

async function relayOne(ctx: Context, reactions: Reactions, eventId: string): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => plan(tx, ctx, reactions, await claimEvent(tx, eventId)));
  } catch (error) {
    if (!(error instanceof PlannerFailed)) throw error;
    ctx.log.error({ err: error.cause, eventId }, 'an event could not be relayed and became a dead letter');
    await ctx.db.transaction(async (tx) => {
      if ((await claimEvent(tx, eventId)).length === 0) return;
      await addDeadLetter(tx, {
        job: 'relay',
        payload: { eventId },
        reason: 'plannerFailed',
        detail: error.message,
        attempts: 1,
        at: ctx.clock.now(),
      });
    });
  }
}

async function plan(
  tx: Queryable,
  ctx: Context,
  reactions: Reactions,
  events: readonly WaitingEvent[],
): Promise<void> {
  const planners = new Map<string, readonly Planner[]>(Object.entries(reactions));
  for (const [kind, ofKind] of Map.groupBy(events, (event) => event.kind)) {
    for (const planner of planners.get(kind) ?? []) await guarded(planner, tx, ofKind, ctx);
  }
}

async function guarded(
  planner: Planner,
  tx: Queryable,
  events: readonly WaitingEvent[],
  ctx: Context,
): Promise<void> {
  try {
    await planner(tx, events, ctx);
  } catch (error) {
    // A lost connection, a deadlock or a time-out is not the event's fault.
    if (isPassing(error)) throw error;
    throw new PlannerFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Classes 08 connection, 40 rollback, 53 resources, 55 locks, 57 intervention; and the driver's own E… codes.
  return /^(?:08|40|53|55|57)/.test(state) || /^E[A-Z]{3,}$/.test(state);
}
