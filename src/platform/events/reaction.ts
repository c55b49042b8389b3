/** Planners turn events into work; `reactions.ts` lists them by kind of event. */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { EventKind } from './record.ts';

/** An event without its payload: planners read payloads in one statement for the batch. */
export interface WaitingEvent {
  readonly id: string;
  readonly kind: string;
  readonly partnerId: string | null;
  readonly workshopId: string;
  readonly subjectId: string;
  readonly version: number;
}

/**
 * Writes what follows from a batch of events of one kind. It runs in the relay's transaction, so it calls nothing outside the
 * database. The order within a batch is not defined; the events of one subject are never in an earlier batch than its earlier
 * versions. Each event comes once, unless an operator has it relayed again.
 */
export type Planner = (tx: Queryable, events: readonly WaitingEvent[], ctx: Context) => Promise<void>;

export type Reactions = Readonly<Record<EventKind, readonly Planner[]>>;
