/** How an event becomes work: planners, listed by kind in `reactions.ts`. */
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import type { EventKind } from './record.ts';

/** An event without its payload: planners take that where it lies, in one statement for the batch. */
export interface WaitingEvent {
  readonly id: string;
  readonly kind: string;
  readonly partnerId: string | null;
  readonly workshopId: string;
  readonly subjectId: string;
  readonly version: number;
}

/**
 * Writes what a batch of events of one kind leads to. It runs in the relay's transaction, so it calls nothing outside the
 * database. Within a batch events come in no promised order; those of one subject are never in a batch before that of
 * an earlier version. Each comes once, save when an operator has one relayed again.
 */
export type Planner = (tx: Queryable, events: readonly WaitingEvent[], ctx: Context) => Promise<void>;

export type Reactions = Readonly<Record<EventKind, readonly Planner[]>>;
